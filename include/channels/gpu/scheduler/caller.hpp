#pragma once

#include <cstdlib>     // getenv
#include <cstring>     // memcpy
#include <functional>  // function
#include <memory>      // shared_ptr
#include <utility>     // move
#include <vector>      // vector

#include "channels/gpu/scheduler/run_caller.hpp"

/// Tasks on a GPU, in a source that nvcc or hipcc compiles.
namespace channels::gpu {

/// The settings of the environment for a `caller`: where it does not say otherwise, the memory is a
/// share of what is free on the device.
inline settings caller_settings() {
  settings s = settings::from_environment();
  if (std::getenv("CHANNELS_MEMORY") == nullptr) s.memory = 0;
  return s;
}

/// One GPU or several, ready to run calls of the task `Root` with the scheduler of GPUs: depth
/// first, in a persistent kernel on each, without channels. The caller allocates its memory once,
/// when it is made; calls then only start kernels. One call at a time: the functions of a caller
/// are for one thread.
///
///     channels::gpu::caller<fib> call;
///     long r = call({40});
///
/// `Root` and the tasks that it spawns (channels/task.hpp) are compiled for the GPU. What their
/// arguments point to has to be memory that the device can reach. A run is on several GPUs if its
/// tasks are of the summing kind and their `reach` (task_traits.hpp) is not `device`, or `Known`
/// says so of all of them. Others run on the first GPU.
///
/// `Simplest` is for comparing kinds of stacks: the caller uses `Simplest`, or the next kind after
/// it that can keep the tasks. `kept_in` says which.
template <task Root, stacks Simplest = stacks::summing, reach Known = reach::device>
class caller {
  using set = detail::task_set<detail::tasks_of<Root>, Simplest>;

 public:
  static constexpr stacks kept_in = set::kept_in;
  /// Whether runs may be on several GPUs.
  static constexpr bool travels = detail::set_travels<set, Known>;
  using result_type = typename Root::result_type;
  using pools = run_caller::pools;

  /// Uses of `options`: `devices`, the GPUs; `memory`, bytes at most on each for frames, ready
  /// tasks and what tasks allocate, 0 for a share of what is free there; `compute_units` of each, 0
  /// for all; `timeout`, milliseconds for a run; `force_yield`, the share of requests for room that
  /// is denied, 0 to 1, and its `seed`. Throws `channels::error` if there is no GPU or no driver
  /// for it, if `devices` names one that is not there or that others do not reach, if there is too
  /// little memory, or if `memory` is less than a frame.
  explicit caller(const settings& options = caller_settings())
      : caller(options, detail::chosen_gpus(options.devices), {}) {}
  /// As that, with memory of the first GPU that other callers use at other times.
  caller(const settings& options, std::shared_ptr<detail::task_pool> first)
      : caller(options, detail::chosen_gpus(options.devices), {std::move(first)}) {}
  /// As that, on `gpus`, numbers as the vendor counts them, which reach each other. `shared`:
  /// memory of each that other callers use at other times; null: with memory of its own.
  caller(const settings& options, std::vector<int> gpus, const pools& shared)
      : run_(detail::code_of_set<set, travels>, options, std::move(gpus), shared) {}

  /// Runs `Root` with `arguments` and returns its result when the run has ended. Throws
  /// `channels::error` if a task found no memory, if a task broke its `spawn_bound`, or if no task
  /// began in `settings::timeout`: then the run is stopped, and the caller can be used again. If a
  /// task does not return even then, the GPU is lost for this process, and so is the caller.
  result_type operator()(const typename Root::arguments& arguments) {
    const void* const told = run_.run(set::template id<Root>, &arguments, sizeof arguments);
    if constexpr (!std::is_void_v<result_type>) {
      result_type result;
      std::memcpy(&result, told, sizeof result);
      return result;
    }
  }

  /// From now on the caller tells `watcher` how far a run is, some times a second while the run
  /// goes on, in the thread that waits for it. Not to be called during a run.
  void watch(std::function<void(const call_progress&)> watcher) { run_.watch(std::move(watcher)); }
  /// What all runs so far did. Copies from the devices; not to be called during a run.
  [[nodiscard]] run_report report() const { return run_.report(); }
  /// The memory of the first GPU for frames and ready tasks.
  [[nodiscard]] const std::shared_ptr<detail::task_pool>& pool() const { return run_.pool(); }
  /// That of each GPU, for another caller that does not run at the same time.
  [[nodiscard]] pools all_pools() const { return run_.all_pools(); }

 private:
  run_caller run_;
};

}  // namespace channels::gpu
