#pragma once

#include <algorithm>         // copy, min
#include <chrono>            // steady_clock
#include <cstring>           // memcpy
#include <initializer_list>  // initializer_list
#include <memory>            // make_unique, unique_ptr, weak_ptr
#include <new>               // bad_alloc
#include <string>            // string
#include <vector>            // vector

#include "channels/cilk/device_call.hpp"
#include "channels/cilk/loop_count.hpp"
#include "channels/cilk/program_order.hpp"
#include "channels/detail/atomic.hpp"

/// The header that the device code of cilk2chan includes. That code is one unit for each source
/// file. nvcc compiles it for CUDA, hipcc for HIP, and the host's compiler for the emulated device.

/// The unit's device, as `CHANNELS_DEVICE` names it. A program may have code for several devices,
/// made from the same headers by different compilers. Namespaces keep their definitions apart.
#if defined(CHANNELS_GPU_EMULATED)
#include "channels/settings.hpp"
#define CHANNELS_CILK_DEVICE "emulated"
#define CHANNELS_CILK_ON on_emulated
#define gpu gpu_emulated
#elif defined(__HIP__)
#include <hip/hip_runtime.h>
#define CHANNELS_CILK_DEVICE "hip"
#define CHANNELS_CILK_ON on_hip
#define gpu gpu_hip
#else
#include <cuda_runtime.h>
#define CHANNELS_CILK_DEVICE "cuda"
#define CHANNELS_CILK_ON on_cuda
#define gpu gpu_cuda
#endif

#include "channels/call.hpp"
#include "channels/gpu/compiled_program/memory.hpp"
#include "channels/gpu/compiled_program/program_gpus.hpp"
#include "channels/gpu/device/graph_code.hpp"
#include "channels/gpu/scheduler/caller.hpp"

#if defined(CHANNELS_GPU_EMULATED)
#define CHANNELS_CILK_ADDRESS(type, name) static type* name
#define CHANNELS_CILK_HOST_ADDRESSES(count) static std::uintptr_t cilk_host_address[count]
#else
/// The address of a variable of the program. `bind` sets it before the first run.
#define CHANNELS_CILK_ADDRESS(type, name) static __constant__ type* name
/// The host's addresses of functions, which `bind_addresses` sets.
#define CHANNELS_CILK_HOST_ADDRESSES(count) \
  static __constant__ std::uintptr_t cilk_host_address[count]
#endif

#include "channels/gpu/compiled_program/endings.hpp"
#include "channels/gpu/compiled_program/functions.hpp"
#include "channels/gpu/compiled_program/group.hpp"
#include "channels/gpu/compiled_program/indirect_calls.hpp"
#include "channels/gpu/compiled_program/lanes.hpp"
#include "channels/gpu/compiled_program/library.hpp"
#include "channels/gpu/compiled_program/malloc.hpp"
#include "channels/gpu/compiled_program/streams.hpp"
#include "channels/gpu/compiled_program/variables.hpp"

/// A function of the program that tasks call.
#define CHANNELS_CILK_COPY CHANNELS_DEVICE inline
/// A table of the program that never changes. The device has its own.
#if defined(CHANNELS_GPU_EMULATED)
#define CHANNELS_CILK_TABLE
#else
#define CHANNELS_CILK_TABLE __device__
#endif

/// Around the program's own text: functions that it does not mark are for the host and for the
/// device. For nvcc, each function is marked.
#if defined(__HIP__)
#define CHANNELS_CILK_TEXT_BEGIN _Pragma("clang force_cuda_host_device begin")
#define CHANNELS_CILK_TEXT_END _Pragma("clang force_cuda_host_device end")
#else
#define CHANNELS_CILK_TEXT_BEGIN
#define CHANNELS_CILK_TEXT_END
#endif

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// The device code of one source file.
struct gpu_unit {
  /// `bind_variables` calls `bind`, or a function of the copies, for each variable of the program
  /// that the unit uses.
  gpu_unit(device_needs needs, void (*bind_variables)(variable_copies&))
      : wanted(needs), bind_variables(bind_variables) {
    has_code_for(CHANNELS_CILK_DEVICE);
    if (needs.memory) wants_arena() = true;
  }

  device_needs wanted;
  void (*bind_variables)(variable_copies&);
  std::size_t ready_on = 0;  ///< GPUs of the program, from the first on, that can run its tasks
};

namespace detail {

/// Names the unit's kernels, so that those of different units differ.
namespace {
struct this_unit;
}

/// The copies of `Unit`'s variables on each GPU that has some. The caller holds the program's
/// runtime. They are made when there is a device, so that they end before the vendor's library
/// does.
template <class Unit>
std::vector<std::unique_ptr<variable_copies>>& copies_of() {
  static std::vector<std::unique_ptr<variable_copies>> all;
  static const tasks_end end;
  return all;
}

/// Sees to it that the first `gpus` GPUs of the program can run the unit's tasks. It is a template
/// because each unit has addresses of its own to bind.
template <class Unit>
void make_ready(gpu_unit& unit, std::size_t gpus) {
  auto& copies = copies_of<Unit>();
  for (; unit.ready_on < gpus; ++unit.ready_on) {
    const gpu::detail::on_gpu here(program_gpus()[unit.ready_on]);
    prepare_device(unit.wanted);
    if (unit.ready_on != 0 && !each_gpu_binds) continue;
    copies.push_back(std::make_unique<variable_copies>());
    unit.bind_variables(*copies.back());
    copies.back()->place();
    if (unit.wanted.messages) bind(device_messages, program_messages(true));
    if (unit.wanted.endings) bind(device_program_end, told_program_end(true));
    if (unit.wanted.pointers) bind(device_unknown_call, told_unknown_call(true));
    if (unit.wanted.memory) {
      bind(device_allocation_failure, program_allocation_failure(true));
      bind(device_arena, program_arena());
    }
  }
}

inline void check_for_gpu() {
#if !defined(CHANNELS_GPU_EMULATED)
  int devices = 0;
  const auto code = CHANNELS_GPU(GetDeviceCount)(&devices);
  if (code == gpu::success && devices > 0) return;
  throw error(
      std::string("CHANNELS_DEVICE=" CHANNELS_CILK_DEVICE
                  ": there is no such device, or no driver for it") +
      (code == gpu::success ? "" : std::string(" (") + CHANNELS_GPU(GetErrorString)(code) + ")") +
      "; CHANNELS_DEVICE=host runs the program on the CPU");
#endif
}

/// The first kind of stacks that is considered: the option --stacks of cilk2chan.
#if !defined(CHANNELS_CILK_STACKS)
#define CHANNELS_CILK_STACKS summing
#endif
/// All that tasks reach is memory that the program's GPUs share, but for what `why_on_one` finds.
template <task Root>
using program_caller = gpu::caller<Root, gpu::stacks::CHANNELS_CILK_STACKS, reach::host>;

/// Why calls of `Root` are on one GPU although the program has several; "" if they are on all.
/// `copies`: of the unit's variables, on the first GPU.
template <task Root>
const char* why_on_one(const gpu_unit& unit, const variable_copies& copies) {
  if (program_settings().order == run_order::channels) return "it runs through channels";
  if (!program_caller<Root>::travels) return "its tasks keep frames";
  if (copies.changes()) return "tasks of its file change variables of which the GPU has copies";
  // The memory of `new` is one GPU's own, and lists of the arena are for the lanes of one GPU.
  if (unit.wanted.memory || unit.wanted.objects) return "tasks of its file allocate memory";
  // GPUs cannot reserve room in one memory of the host together.
  if (unit.wanted.messages) return "tasks of its file may write to stderr";
  // A trap stops one GPU alone.
  if (unit.wanted.endings) return "tasks of its file may end the program";
  if (unit.wanted.pointers) return "tasks of its file call functions through pointers";
  if (unit.wanted.addresses) return "tasks of its file may pass on addresses of constants";
  return "";
}

/// The one caller of `Root` in this unit; null until it is made. The caller of this holds the
/// program's runtime.
template <task Root>
std::unique_ptr<program_caller<Root>>& caller_of() {
  static std::unique_ptr<program_caller<Root>> one;
  static const tasks_end end;
  return one;
}

/// The memory for tasks that all callers of the program share, since one call runs at a time: the
/// last of them frees it. One for each GPU. The caller of this holds the program's runtime.
inline std::vector<std::weak_ptr<gpu::detail::task_pool>>& program_pools() {
  static std::vector<std::weak_ptr<gpu::detail::task_pool>> all;
  static const tasks_end end;
  return all;
}

/// `gpus`: how many of the program's GPUs calls of `Root` use; always as many.
template <task Root>
program_caller<Root>& made_caller_of(std::size_t gpus) {
  auto& one = caller_of<Root>();
  if (one != nullptr) return *one;
  const settings& options = program_settings();
  const auto make = [&] {
    typename program_caller<Root>::pools shared;
    for (const auto& pool : program_pools()) shared.push_back(pool.lock());
    const std::vector<int>& all = program_gpus();
    one = std::make_unique<program_caller<Root>>(
        options, std::vector<int>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(gpus)),
        shared);
    shared = one->all_pools();
    if (program_pools().size() < shared.size()) program_pools().resize(shared.size());
    std::copy(shared.begin(), shared.end(), program_pools().begin());
  };
  try {
    make();
  } catch (const error&) {
    // Callers of other functions of the program may hold the memory. They give it back.
    if (!drop_device_memory(&one)) throw;
    make();
  }
  if (options.progress) one->watch(&show_call);
  keep_device_memory(&one, [] { caller_of<Root>().reset(); });
  return *one;
}

/// Runs `Root` depth first, with the scheduler of GPUs, on `gpus` of the program's. `why`: see
/// `why_on_one`.
template <task Root>
typename Root::result_type call_depth_first(const typename Root::arguments& arguments,
                                            std::size_t gpus, const char* why) {
  program_caller<Root>& call = made_caller_of<Root>(gpus);
  const shown_call shown(Root::name);
  const auto start = std::chrono::steady_clock::now();
  const auto count = [&] {
    if (program_settings().statistics.empty()) return;
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
    const gpu::run_report did = call.report();
    device_counts counts{did.tasks,        did.resumed, did.yields, did.gifts, did.given,
                         did.lanes_active, did.lanes,   did.memory, {},        {}};
    if (program_gpus().size() > 1) {
      for (const gpu::gpu_report& one : did.gpus)
        counts.gpus.push_back({one.gpu, one.tasks, one.given, one.taken});
      if (*why != 0) counts.on_one_gpu = std::string(Root::name) + ": " + why;
    }
    count_device_run(&call, counts, static_cast<std::uint64_t>(took.count()));
  };
  if constexpr (std::is_void_v<typename Root::result_type>) {
    call(arguments);
    count();
  } else {
    const auto value = call(arguments);
    count();
    return value;
  }
}

/// Whether the unit has code for kernels that stay: the option --device-aggregator of cilk2chan.
/// Compilers for GPUs take longest for these, and only runs with CHANNELS_ORDER=channels use them.
#if defined(CHANNELS_CILK_DEVICE_AGGREGATOR) || defined(CHANNELS_GPU_EMULATED)
#define CHANNELS_CILK_STAYS true
#else
#define CHANNELS_CILK_STAYS false
#endif

/// Runs `Root` through channels in the device's memory, with the aggregator where the settings say.
template <task Root>
typename Root::result_type call_in_channels(const typename Root::arguments& arguments) {
  (void)gpu::detail::know_device();
  runtime& on = program_runtime();
  using code = gpu::detail::graph_code<this_unit, CHANNELS_CILK_STAYS>;
  if constexpr (std::is_void_v<typename Root::result_type>) {
    channels::detail::call_with<Root, code>(on, arguments);
  } else {
    return channels::detail::call_with<Root, code>(on, arguments);
  }
}

}  // namespace detail

/// Whether a GPU is expected to be fast at `Root`: its tasks only add up, or wavefronts run their
/// leaves.
template <task Root>
inline constexpr bool suits_gpu = [] {
  using set = gpu::detail::task_set<gpu::detail::tasks_of<Root>>;
  return set::summing || set::any_group_leaves;
}();

/// Runs `Root` on the device in place of a call of its function. The arguments are at `arguments`,
/// and the result goes to `result`. If it fails, the program ends with a message.
template <task Root>
void run_on_gpu(gpu_unit& unit, const void* arguments, void* result) {
  const host_allocations own;
  try {
    const std::unique_lock<std::mutex> owned = own_runtime();
    if (unit.ready_on == 0) detail::check_for_gpu();
    const gpu::detail::on_gpu here(program_gpus()[0]);
    auto& copies = detail::copies_of<detail::this_unit>();
    detail::make_ready<detail::this_unit>(unit, 1);
    const char* const why = detail::why_on_one<Root>(unit, *copies[0]);
    const std::size_t gpus = *why != 0 ? 1 : program_gpus().size();
    detail::make_ready<detail::this_unit>(unit, gpus);
    typename Root::arguments copied;
    std::memcpy(&copied, arguments, sizeof copied);
    share_memory(gpus);
    for (std::size_t i = 0; i < std::min(gpus, copies.size()); ++i) {
      const gpu::detail::on_gpu there(program_gpus()[i]);
      copies[i]->to_device();
    }
    const bool in_channels = program_settings().order == run_order::channels;
    if constexpr (std::is_void_v<typename Root::result_type>) {
      in_channels ? detail::call_in_channels<Root>(copied)
                  : detail::call_depth_first<Root>(copied, gpus, why);
    } else {
      const auto value = in_channels ? detail::call_in_channels<Root>(copied)
                                     : detail::call_depth_first<Root>(copied, gpus, why);
      std::memcpy(result, &value, sizeof value);
    }
    copies[0]->from_device();  // if there are several, none has changed
    finish_output(unit.wanted, gpus);
    if (kept_messages* const written = program_messages()) written->print();
  } catch (const error& e) {
    if (kept_messages* const written = program_messages()) written->print();
    if (const program_end* const told = told_program_end()) told->obey();
    const allocation_failure* const none_left = program_allocation_failure();
    if (none_left != nullptr && none_left->happened != 0)
      fail(error(none_left->message(Root::name, program_arena()->units * heap::arena::unit)));
    const unknown_call* const unknown = told_unknown_call();
    if (unknown != nullptr && unknown->happened != 0) fail(error(unknown->message(Root::name)));
    fail(error(e.what() +
               hint_after_failure(unit.wanted, arguments, sizeof(typename Root::arguments))));
  } catch (const std::bad_alloc&) {
    fail_for_memory(Root::name);
  }
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

#undef gpu
