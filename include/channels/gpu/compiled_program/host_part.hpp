#pragma once

#include <algorithm>  // copy, min
#include <chrono>     // steady_clock
#include <memory>     // make_unique, unique_ptr, weak_ptr
#include <mutex>      // unique_lock
#include <new>        // bad_alloc
#include <string>     // string
#include <utility>    // exchange
#include <vector>     // vector

/// The host's part of a device, for compiled programs: all that is the same for their units. The
/// compiler of the device compiles it, once for all programs: cilk2chan keeps the object, and links
/// it. Only that object's source includes this.
#include "channels/cilk/device_call.hpp"
#include "channels/cilk/program_order.hpp"
#include "channels/detail/call_code.hpp"
#include "channels/runtime.hpp"

// After all that the host's other code includes, too.
#include "channels/gpu/compiled_program/device_names.hpp"

#include "channels/gpu/compiled_program/memory.hpp"
#include "channels/gpu/compiled_program/program_gpus.hpp"
#include "channels/gpu/compiled_program/told_messages.hpp"
#include "channels/gpu/compiled_program/variable_copies.hpp"
#include "channels/gpu/device/make_channel_device.hpp"
#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/lane_code.hpp"
#include "channels/gpu/port/emulation/launch_code.hpp"
#endif
#include "channels/gpu/scheduler/run_caller.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

namespace {

/// What belongs to keys that are objects for the life of the program. They are few, and Clang 15
/// for HIP crashes on a map.
template <class Key, class Value>
class entries {
 public:
  Value& of(const Key& key) {
    for (const auto& one : all_) {
      if (one->key == &key) return one->value;
    }
    all_.push_back(std::make_unique<entry>(entry{&key, {}}));
    return all_.back()->value;
  }

 private:
  struct entry {
    const Key* key;
    Value value;
  };
  std::vector<std::unique_ptr<entry>> all_;
};

using copies_of_gpus = std::vector<std::unique_ptr<variable_copies>>;

/// The copies of a unit's variables on each GPU that has some. The caller holds the program's
/// runtime. They are made when there is a device, so that they end before the vendor's library
/// does.
copies_of_gpus& copies_of(const unit_code& unit) {
  static entries<unit_code, copies_of_gpus> all;
  static const tasks_end end;
  return all.of(unit);
}

told_places places_for(const device_needs& needs) {
  told_places told;
  if (needs.messages) told.messages = program_messages(true);
  if (needs.endings) told.end = told_program_end(true);
  if (needs.pointers) told.unknown = told_unknown_call(true);
  if (needs.memory) {
    told.no_memory = program_allocation_failure(true);
    told.arena = program_arena();
  }
  return told;
}

/// Sees to it that the first `gpus` GPUs of the program can run the unit's tasks.
void make_ready(unit_code& unit, std::size_t gpus) {
  copies_of_gpus& copies = copies_of(unit);
  for (; unit.ready_on < gpus; ++unit.ready_on) {
    const gpu::detail::on_gpu here(program_gpus()[unit.ready_on]);
    prepare_device(unit.wanted);
    if (unit.ready_on != 0 && !each_gpu_binds) continue;
    copies.push_back(std::make_unique<variable_copies>());
    unit.bind_variables(*copies.back());
    copies.back()->place();
    unit.bind_told(places_for(unit.wanted));
  }
}

void check_for_gpu() {
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

/// Why calls of `root` are on one GPU although the program has several; "" if they are on all.
/// `copies`: of the unit's variables, on the first GPU.
const char* why_on_one(const unit_code& unit, const root_code& root,
                       const variable_copies& copies) {
  if (program_settings().order == run_order::channels) return "it runs through channels";
  if (!root.set->travels) return "its tasks keep frames";
  if (copies.changes()) return "tasks of its file change variables of which the GPU has copies";
  // Lists of the arena are for the lanes of one GPU.
  if (unit.wanted.memory) return "tasks of its file allocate memory";
  // GPUs cannot reserve room in one memory of the host together.
  if (unit.wanted.messages) return "tasks of its file may write to stderr";
  // A trap stops one GPU alone.
  if (unit.wanted.endings) return "tasks of its file may end the program";
  if (unit.wanted.pointers) return "tasks of its file call functions through pointers";
  if (unit.wanted.addresses) return "tasks of its file may pass on addresses of constants";
  return "";
}

/// The caller of each task; null until it is made. The caller of this holds the program's runtime.
std::unique_ptr<gpu::run_caller>& caller_of(const root_code& root) {
  static entries<root_code, std::unique_ptr<gpu::run_caller>> all;
  static const tasks_end end;
  return all.of(root);
}

/// The memory for tasks that all callers of the program share, since one call runs at a time: the
/// last of them frees it. One for each GPU. The caller of this holds the program's runtime.
std::vector<std::weak_ptr<gpu::detail::task_pool>>& program_pools() {
  static std::vector<std::weak_ptr<gpu::detail::task_pool>> all;
  static const tasks_end end;
  return all;
}

/// `gpus`: how many of the program's GPUs calls of `root` use; always as many. `host_steps`: see
/// `run_caller`.
gpu::run_caller& made_caller_of(const root_code& root, std::size_t gpus, bool host_steps) {
  auto& one = caller_of(root);
  if (one != nullptr) return *one;
  const settings& options = program_settings();
  const auto make = [&] {
    gpu::run_caller::pools shared;
    for (const auto& pool : program_pools()) shared.push_back(pool.lock());
    const std::vector<int>& all = program_gpus();
    one = std::make_unique<gpu::run_caller>(
        *root.set, options,
        std::vector<int>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(gpus)), shared,
        host_steps);
    shared = one->all_pools();
    if (program_pools().size() < shared.size()) program_pools().resize(shared.size());
    std::copy(shared.begin(), shared.end(), program_pools().begin());
  };
  try {
    make();
  } catch (const error&) {
    // Callers of other functions of the program may hold the memory. They give it back.
    if (!drop_device_memory(&root)) throw;
    make();
  }
  if (options.progress) one->watch(&show_call);
  keep_device_memory(
      &root, [](const void* which) { caller_of(*static_cast<const root_code*>(which)).reset(); });
  return *one;
}

/// Runs `root` depth first, with the scheduler of GPUs, on `gpus` of the program's. `why`: see
/// `why_on_one`.
void call_depth_first(const root_code& root, const void* arguments, void* result, std::size_t gpus,
                      const char* why, bool host_steps) {
  gpu::run_caller& call = made_caller_of(root, gpus, host_steps);
  const shown_call shown(root.name);
  const auto start = std::chrono::steady_clock::now();
  const void* const told = call.run(root.number, arguments, root.argument_bytes);
  if (root.result_bytes != 0) std::memcpy(result, told, root.result_bytes);
  if (program_settings().statistics.empty()) return;
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
  const gpu::run_report did = call.report();
  device_counts counts{did.tasks,        did.resumed, did.yields, did.gifts,     did.given,
                       did.lanes_active, did.lanes,   did.memory, did.host_steps};
  if (program_gpus().size() > 1) {
    for (const gpu::gpu_report& one : did.gpus)
      counts.gpus.push_back({one.gpu, one.tasks, one.given, one.taken});
    if (*why != 0) counts.on_one_gpu = std::string(root.name) + ": " + why;
  }
  count_device_run(&call, counts, static_cast<std::uint64_t>(took.count()));
}

/// After a run: what belongs to the other side is freed. It looks at the arena, whose pages are the
/// device's, only if there is something.
void settle_heap() {
  allocation_failure* const told = program_allocation_failure();
  const bool keeps = told != nullptr && std::exchange(told->keeps, 0U) != 0;
  if (&channels_heap_settle != nullptr) channels_heap_settle(keeps);
}

}  // namespace

void check_bound(gpu::error_code code) { gpu::detail::check(code, "variables"); }

void begin_unit(const unit_code& unit) {
  has_code_for(CHANNELS_CILK_DEVICE);
  if (unit.wanted.memory) wants_arena() = true;
}

void run_root(unit_code& unit, const root_code& root, const void* arguments, void* result) {
  const host_allocations own;
  try {
    const std::unique_lock<std::mutex> owned = own_runtime();
    if (unit.ready_on == 0) check_for_gpu();
    const gpu::detail::on_gpu here(program_gpus()[0]);
    const copies_of_gpus& copies = copies_of(unit);
    make_ready(unit, 1);
    const char* const why = why_on_one(unit, root, *copies[0]);
    const std::size_t gpus = *why != 0 ? 1 : program_gpus().size();
    make_ready(unit, gpus);
    share_memory(gpus);
    for (std::size_t i = 0; i < std::min(gpus, copies.size()); ++i) {
      const gpu::detail::on_gpu there(program_gpus()[i]);
      copies[i]->to_device();
    }
    if (program_settings().order == run_order::channels) {
      (void)gpu::detail::know_device();
      channels::detail::run_call(program_runtime(), *root.in_channels, arguments, result);
    } else {
      // The host would see other values of variables that tasks change on the device.
      call_depth_first(root, arguments, result, gpus, why, !copies[0]->changes());
    }
    if (unit.wanted.memory) settle_heap();
    copies[0]->from_device();  // if there are several, none has changed
    finish_output(unit.wanted, gpus);
    if (kept_messages* const written = program_messages()) written->print();
  } catch (const error& e) {
    if (kept_messages* const written = program_messages()) written->print();
    if (const program_end* const told = told_program_end()) told->obey();
    const allocation_failure* const none_left = program_allocation_failure();
    if (none_left != nullptr && none_left->happened != 0)
      fail(error(text_of(*none_left, root.name, program_arena()->units * heap::arena::unit)));
    const unknown_call* const unknown = told_unknown_call();
    if (unknown != nullptr && unknown->happened != 0) fail(error(text_of(*unknown, root.name)));
    fail(error(e.what() + hint_after_failure(unit.wanted, arguments, root.argument_bytes)));
  } catch (const std::bad_alloc&) {
    fail_for_memory(root.name);
  }
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

#undef gpu
