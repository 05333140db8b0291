#pragma once

#include <chrono>            // steady_clock
#include <cstring>           // memcpy
#include <initializer_list>  // initializer_list
#include <memory>            // make_unique, unique_ptr, weak_ptr
#include <new>               // bad_alloc

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
#include "channels/gpu/device/graph_code.hpp"
#include "channels/gpu/scheduler/caller.hpp"

#if defined(CHANNELS_GPU_EMULATED)
#define CHANNELS_CILK_ADDRESS(type, name) static type* name
#else
/// The address of a variable of the program. `bind` sets it before the first run.
#define CHANNELS_CILK_ADDRESS(type, name) static __constant__ type* name
#endif

#include "channels/gpu/compiled_program/functions.hpp"
#include "channels/gpu/compiled_program/group.hpp"
#include "channels/gpu/compiled_program/lanes.hpp"
#include "channels/gpu/compiled_program/library.hpp"
#include "channels/gpu/compiled_program/malloc.hpp"
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
  }

  device_needs wanted;
  void (*bind_variables)(variable_copies&);
  bool ready = false;
};

namespace detail {

/// Names the unit's kernels, so that those of different units differ.
namespace {
struct this_unit;
}

/// The copies of `Unit`'s variables. The caller holds the program's runtime. They are made when
/// there is a device, so that they end before the vendor's library does.
template <class Unit>
variable_copies& copies_of() {
  static variable_copies one;
  static const tasks_end end;
  return one;
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
template <task Root>
using program_caller = gpu::caller<Root, gpu::stacks::CHANNELS_CILK_STACKS>;

/// The one caller of `Root` in this unit; null until it is made. The caller of this holds the
/// program's runtime.
template <task Root>
std::unique_ptr<program_caller<Root>>& caller_of() {
  static std::unique_ptr<program_caller<Root>> one;
  static const tasks_end end;
  return one;
}

/// The memory for tasks that all callers of the program share, since one call runs at a time: the
/// last of them frees it. The caller of this holds the program's runtime.
inline std::weak_ptr<gpu::detail::task_pool>& program_pool() {
  static std::weak_ptr<gpu::detail::task_pool> one;
  static const tasks_end end;
  return one;
}

template <task Root>
program_caller<Root>& made_caller_of() {
  auto& one = caller_of<Root>();
  if (one != nullptr) return *one;
  const settings& options = program_settings();
  const auto make = [&] {
    one = std::make_unique<program_caller<Root>>(options, program_pool().lock());
    program_pool() = one->pool();
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

/// Runs `Root` depth first, with the GPU's own scheduler.
template <task Root>
typename Root::result_type call_depth_first(const typename Root::arguments& arguments) {
  program_caller<Root>& call = made_caller_of<Root>();
  const shown_call shown(Root::name);
  const auto start = std::chrono::steady_clock::now();
  const auto count = [&] {
    if (program_settings().statistics.empty()) return;
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
    const gpu::run_report did = call.report();
    count_device_run(&call,
                     {did.tasks, did.resumed, did.yields, did.gifts, did.given, did.lanes_active,
                      did.lanes, did.memory},
                     static_cast<std::uint64_t>(took.count()));
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

/// Runs `Root` on the device in place of a call of its function. The arguments are at `arguments`,
/// and the result goes to `result`. If it fails, the program ends with a message.
template <task Root>
void run_on_gpu(gpu_unit& unit, const void* arguments, void* result) {
  const host_allocations own;
  try {
    const std::unique_lock<std::mutex> owned = own_runtime();
    if (!unit.ready) {
      detail::check_for_gpu();
      prepare_device(unit.wanted);
      unit.bind_variables(detail::copies_of<detail::this_unit>());
      detail::copies_of<detail::this_unit>().place();
      if (unit.wanted.memory) {
        bind(device_allocation_failure, program_allocation_failure(true));
        bind(device_arena, program_arena());
      }
      unit.ready = true;
    }
    typename Root::arguments copied;
    std::memcpy(&copied, arguments, sizeof copied);
    share_memory();
    variable_copies& copies = detail::copies_of<detail::this_unit>();
    copies.to_device();
    const bool in_channels = program_settings().order == run_order::channels;
    if constexpr (std::is_void_v<typename Root::result_type>) {
      in_channels ? detail::call_in_channels<Root>(copied) : detail::call_depth_first<Root>(copied);
    } else {
      const auto value = in_channels ? detail::call_in_channels<Root>(copied)
                                     : detail::call_depth_first<Root>(copied);
      std::memcpy(result, &value, sizeof value);
    }
    copies.from_device();
    finish_output(unit.wanted);
  } catch (const error& e) {
    const allocation_failure* const none_left = program_allocation_failure();
    if (none_left != nullptr && none_left->happened != 0)
      fail(error(none_left->message(Root::name, program_arena()->units * heap::arena::unit)));
    fail(error(e.what() +
               hint_after_failure(unit.wanted, arguments, sizeof(typename Root::arguments))));
  } catch (const std::bad_alloc&) {
    fail_for_memory(Root::name);
  }
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

#undef gpu
