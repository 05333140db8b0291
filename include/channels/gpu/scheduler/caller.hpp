#pragma once

#include <algorithm>   // clamp, fill_n, max, min
#include <chrono>      // steady_clock
#include <cstdlib>     // getenv
#include <cstring>     // memcpy
#include <functional>  // function
#include <memory>      // make_shared, shared_ptr, unique_ptr
#include <string>      // string, to_string
#include <utility>     // exchange, move
#include <vector>      // vector

#include "channels/detail/call_progress.hpp"
#include "channels/detail/running_time.hpp"
#include "channels/error.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/scheduler/kernel.hpp"
#include "channels/gpu/scheduler/task_pool.hpp"
#include "channels/gpu/tuning.hpp"
#include "channels/settings.hpp"

/// Tasks on a GPU, in a source that nvcc or hipcc compiles.
namespace channels::gpu {

/// The settings of the environment for a `caller`: where it does not say otherwise, the memory is a
/// share of what is free on the device.
inline settings caller_settings() {
  settings s = settings::from_environment();
  if (std::getenv("CHANNELS_MEMORY") == nullptr) s.memory = 0;
  return s;
}

/// What the runs of a `caller` did. Counts are sums over all runs so far.
struct run_report {
  std::uint64_t tasks = 0;
  std::uint64_t resumed = 0;  ///< frames that went on after a sync
  std::uint64_t yields = 0;
  std::uint64_t gifts = 0;         ///< from one wavefront to another
  std::uint64_t given = 0;         ///< tasks in these gifts
  std::uint64_t turns = 0;         ///< of wavefronts that had work
  std::uint64_t reserve_uses = 0;  ///< memory was out, and a wavefront went on alone
  double lanes_active = 0;         ///< share of the lanes that had work in these turns, 0 to 1
  std::uint32_t lanes = 0;         ///< lanes that take part in a run
  std::uint64_t memory = 0;        ///< bytes of the device's memory that the caller holds
  std::uint64_t memory_used = 0;   ///< bytes of the pool that the last run used
};

/// One GPU, ready to run calls of the task `Root` with the scheduler of that GPU: depth first, in
/// one persistent kernel, without channels. The caller allocates its memory once, when it is made;
/// calls then only start kernels. One call at a time: the functions of a caller are for one thread.
///
///     channels::gpu::caller<fib> call;
///     long r = call({40});
///
/// `Root` and the tasks that it spawns (channels/task.hpp) are compiled for the GPU. What their
/// arguments point to has to be memory that the device can reach.
///
/// `Simplest` is for comparing kinds of stacks: the caller uses `Simplest`, or the next kind after
/// it that can keep the tasks. `kept_in` says which.
template <task Root, stacks Simplest = stacks::summing>
class caller {
  using set = detail::task_set<detail::tasks_of<Root>, Simplest>;

 public:
  static constexpr stacks kept_in = set::kept_in;
  using result_type = typename Root::result_type;

  /// Uses of `options`: `memory`, bytes at most for frames, ready tasks and what tasks allocate, 0
  /// for a share of what is free on the device; `compute_units`, 0 for all; `timeout`, milliseconds
  /// for a run; `force_yield`, the share of requests for room that is denied, 0 to 1, and its
  /// `seed`. Throws `channels::error` if there is no GPU or no driver for it, if there is too
  /// little memory on it, or if `memory` is less than a frame.
  explicit caller(const settings& options = caller_settings()) : caller(options, nullptr) {}
  /// As that, with memory that other callers use at other times. Null: with memory of its own.
  caller(const settings& options, std::shared_ptr<detail::task_pool> pool)
      : options_(options), pool_(std::move(pool)) {
    const detail::device_shape shape = detail::shape_of_device(options.compute_units);
    if (shape.units == 0) {
      throw error(
          "device: there is no GPU, or no driver for it; channels::call runs tasks on the CPU");
    }
    width_ = shape.width;
    parameters_.force_yield = static_cast<std::uint32_t>(options.force_yield * 4294967295.0);
    parameters_.seed = static_cast<std::uint32_t>(options.seed);
    choose_wavefronts(shape);
    make_pool(shape.units);
    make_control();
    make_ways_to_share();
    host_ = detail::allocate_on_host<host_block>(sizeof(host_block), "pinned memory");
    parameters_.host = host_.get();
    host_->failed = 0;
    host_->ended = 0;
    host_->stop = 0;
    stream_.make();
    report_.lanes = parameters_.waves * width_;
  }
  caller(const caller&) = delete;
  caller& operator=(const caller&) = delete;
  ~caller() = default;

  /// Runs `Root` with `arguments` and returns its result when the run has ended. Throws
  /// `channels::error` if a task found no memory, if a task broke its `spawn_bound`, or if the run
  /// did not end in `settings::timeout`: then it is stopped, and the caller can be used again. If a
  /// task does not return even then, the device is lost for this process, and so is the caller.
  result_type operator()(const typename Root::arguments& arguments) {
    if (lost_)
      throw error("device: it still runs a task of an earlier run that could not be stopped");
    std::memcpy(parameters_.arguments, &arguments, sizeof arguments);
    parameters_.root = set::template id<Root>;
    detail::finish_copies();
    begin_watching();
    const unsigned words = std::max(parameters_.waves, detail::most_compute_units);
    launch(detail::prepare<set>, (words + width_ - 1) / width_, width_, 0, stream_.handle(),
           parameters_);
    launch(detail::run_tasks<set>, groups_, width_, group_memory_, stream_.handle(), parameters_);
    detail::check(CHANNELS_GPU(GetLastError)(), "start");
    wait();
    if constexpr (!std::is_void_v<result_type>) {
      result_type result;
      std::memcpy(&result, host_->result, sizeof result);
      return result;
    }
  }

  /// From now on the caller tells `watcher` how far a run is, some times a second while the run
  /// goes on, in the thread that waits for it. Not to be called during a run. Throws
  /// `channels::error` if there is no pinned memory for it.
  void watch(std::function<void(const call_progress&)> watcher) {
    progress_ = detail::allocate_on_host<detail::wave_progress>(
        sizeof(detail::wave_progress) * parameters_.waves, "pinned memory");
    parameters_.progress = progress_.get();
    watcher_ = std::move(watcher);
  }

  /// What all runs so far did. Copies from the device; not to be called during a run.
  [[nodiscard]] run_report report() {
    detail::control_block c{};
    detail::check(
        CHANNELS_GPU(Memcpy)(&c, control_.get(), sizeof c, CHANNELS_GPU(MemcpyDeviceToHost)),
        "report");
    report_.tasks = c.tasks;
    report_.resumed = c.resumed;
    report_.yields = c.yields;
    report_.gifts = c.gifts;
    report_.given = c.given;
    report_.turns = c.turns;
    report_.reserve_uses = c.reserve.uses;
    std::vector<detail::pool_arena> arenas(parameters_.arena_count);
    detail::check(
        CHANNELS_GPU(Memcpy)(arenas.data(), arenas_.get(), sizeof arenas[0] * arenas.size(),
                             CHANNELS_GPU(MemcpyDeviceToHost)),
        "report");
    report_.memory_used = 0;
    for (const detail::pool_arena& a : arenas) {
      report_.memory_used +=
          std::uint64_t{std::min(a.taken, parameters_.arena_units)} * detail::unit_bytes;
    }
    report_.lanes_active =
        c.turns == 0 ? 0.0 : static_cast<double>(c.busy) / (static_cast<double>(c.turns) * width_);
    return report_;
  }
  /// The memory for frames and ready tasks, for another caller that does not run at the same time.
  [[nodiscard]] const std::shared_ptr<detail::task_pool>& pool() const { return pool_; }

 private:
  using host_block = detail::host_block<set>;

  /// How many wavefronts run, and how many work-groups are started for them.
  void choose_wavefronts(const detail::device_shape& shape) {
    const std::size_t bytes = detail::group_memory_bytes<set>(width_);
    const bool fits = detail::fits_group_memory<set>(width_);
    if (fits) {
      group_memory_ = bytes;
      detail::check(
          CHANNELS_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(&detail::run_tasks<set>),
                                         CHANNELS_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                         static_cast<int>(group_memory_)),
          "memory of a work-group");
    }
    int persistent = 0;
    detail::check(CHANNELS_GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(
                      &persistent, detail::run_tasks<set>, static_cast<int>(width_), group_memory_),
                  "occupancy");
    if (persistent == 0) throw error("device: the kernel does not fit a compute unit");
    if (kept_in == stacks::pooled && !set::any_group_leaves)
      persistent = std::min(persistent, stacks_tuning::most_pooled_waves);
    const std::uint32_t waves = shape.units * static_cast<unsigned>(persistent);
    parameters_.waves = waves;
    groups_ = waves;
    if (shape.units != shape.all && detail::tells_units) {
      groups_ = shape.all * static_cast<unsigned>(persistent);
      const std::size_t part_bytes = sizeof(std::uint32_t) * detail::most_compute_units;
      unit_parts_ = detail::allocate<std::uint32_t>(part_bytes, "memory");
      parameters_.unit_parts = unit_parts_.get();
      parameters_.units = shape.units;
    }
    if (!fits) {
      windows_ = detail::allocate<std::uint32_t>(bytes * waves, "memory for windows");
      parameters_.windows = windows_.get();
      report_.memory += bytes * waves;
    }
  }

  /// The memory for frames and for ready tasks beyond the windows, in arenas for the compute units.
  void make_pool(unsigned compute_units) {
    if (pool_ == nullptr) {
      pool_ = std::make_shared<detail::task_pool>(options_.memory);
      report_.memory += pool_->bytes();
    }
    const auto pool_units = static_cast<std::uint32_t>(pool_->bytes() / detail::unit_bytes);
    detail::divide_pool(parameters_, pool_units, compute_units);
    if (parameters_.arena_units < detail::frame_units<set>) {
      throw error("device: CHANNELS_MEMORY is " + std::to_string(pool_->bytes()) +
                  " bytes: less than two frames");
    }
    parameters_.pool = pool_->memory();
    arenas_ = detail::allocate<detail::pool_arena>(
        sizeof(detail::pool_arena) * parameters_.arena_count, "memory");
    parameters_.arenas = arenas_.get();
  }

  /// Control words, mailboxes, and the bits of hungry wavefronts.
  void make_control() {
    const std::uint32_t waves = parameters_.waves;
    control_ = detail::allocate<detail::control_block>(sizeof(detail::control_block), "memory");
    detail::check(CHANNELS_GPU(Memset)(control_.get(), 0, sizeof(detail::control_block)), "memory");
    parameters_.control = control_.get();
    const std::size_t bytes =
        sizeof(detail::mailbox) * waves + sizeof(std::uint32_t) * ((waves + 31) / 32);
    mailboxes_ = detail::allocate<detail::mailbox>(bytes, "memory");
    parameters_.mailboxes = mailboxes_.get();
    parameters_.hungry = reinterpret_cast<std::uint32_t*>(mailboxes_.get() + waves);
    report_.memory += bytes;
  }

  /// Wavefronts give each other tasks in inboxes, or, with group leaves, share a channel of them.
  void make_ways_to_share() {
    if constexpr (set::any_group_leaves) {
      using shared = detail::shared_tasks<set>;
      parameters_.shared_capacity = shared::capacity_for(parameters_.waves, width_);
      const std::size_t bytes =
          sizeof(std::uint32_t) * shared::words_for(parameters_.shared_capacity);
      shared_ = detail::allocate<std::uint32_t>(bytes, "memory for tasks that all share");
      parameters_.shared = shared_.get();
      report_.memory += bytes;
    } else {
      const std::size_t bytes = std::size_t{detail::ready_task<set>::words} *
                                sizeof(std::uint32_t) * width_ * parameters_.waves;
      inboxes_ = detail::allocate<std::uint32_t>(bytes, "memory for gifts");
      parameters_.inboxes = inboxes_.get();
      report_.memory += bytes;
    }
  }

  /// Polls the run for `patience` at most. True if it has ended.
  bool ends_within(std::chrono::milliseconds patience) {
    channels::detail::running_time waited;
    error_code code{};
    while ((code = stream_.query()) == CHANNELS_GPU(ErrorNotReady)) {
      const auto now = std::chrono::steady_clock::now();
      if (waited.look(now) > patience) return false;
      if (progress_ != nullptr && now >= next_look_) tell_watcher(now);
    }
    if (code != success) {
      // The kernel itself failed: the process runs no other on this device.
      lost_ = true;
      stream_.device().lose();
      detail::check(code, "run");
    }
    return true;
  }

  void begin_watching() {
    if (progress_ == nullptr) return;
    std::fill_n(progress_.get(), parameters_.waves, detail::wave_progress{});
    next_look_ = std::chrono::steady_clock::now() + run_tuning::between_progress_reads;
  }
  void tell_watcher(std::chrono::steady_clock::time_point now) {
    call_progress all;
    all.wavefronts = parameters_.waves;
    // Relaxed: see wave_progress.hpp.
    const auto told = [](const auto* word) {
      return channels::detail::atomic_load<detail::order::relaxed>(word);
    };
    for (std::uint32_t i = 0; i < parameters_.waves; ++i) {
      const detail::wave_progress& one = progress_.get()[i];
      all.tasks += told(&one.tasks);
      all.yields += told(&one.yields);
      all.working += told(&one.works);
      // `taken` counts requests that were in vain, too.
      all.memory +=
          std::uint64_t{std::min(told(&one.units), parameters_.arena_units)} * detail::unit_bytes;
    }
    watcher_(all);
    next_look_ = now + run_tuning::between_progress_reads;
  }

  /// Until the run has ended. Throws if it failed or had to be stopped.
  void wait() {
    if (!ends_within(options_.timeout)) {
      *const_cast<volatile std::uint32_t*>(&host_->stop) = 1;
      lost_ = !ends_within(wait_tuning::scheduler_grace);
      if (lost_) {
        stream_.device().lose();
        throw error("device: a task has not returned in " +
                    std::to_string(options_.timeout.count() / 1000) +
                    " s; the device cannot be used any more by this process");
      }
      host_->stop = 0;
    }
    const auto why = static_cast<detail::failure>(std::exchange(host_->failed, 0));
    if (why == detail::failure::none && std::exchange(host_->ended, 0) != 0) return;
    host_->ended = 0;
    throw_failure(why);
  }

  [[noreturn]] void throw_failure(detail::failure why) const {
    std::string where = std::string("task ") + set::name(host_->where);
    if constexpr (!set::summing) where += ", level " + std::to_string(host_->level);
    const std::string memory =
        (host_->units == 0
             ? std::string()
             : " (" + std::to_string(std::size_t{host_->units} * detail::unit_bytes) + " bytes)") +
        (kept_in != stacks::summing ? ", although it runs alone and depth first" : "") +
        "; CHANNELS_MEMORY sets how many bytes all lanes have together, now " +
        std::to_string(pool_->bytes());
    switch (why) {
      case detail::failure::memory:
        throw error("device: " + where + ": no memory is left for its frame" + memory);
      case detail::failure::ready:
        throw error("device: " + where + ": no memory is left for its children" + memory);
      case detail::failure::heap:
        throw error("device: " + where + ": no memory is left for what it allocates" + memory);
      case detail::failure::room:
        throw error("device: " + where +
                    ": it yields although room was not denied; its spawn_bound may be too small");
      case detail::failure::unread:
        throw error(
            "device: a wavefront has not read the task that it was given; please report this");
      case detail::failure::points:
        throw error("device: " + where + ": it waits at a point beyond " +
                    std::to_string(detail::record_head::most_points));
      case detail::failure::stopped:
        throw error("device: the run has not ended in " +
                    std::to_string(options_.timeout.count() / 1000) +
                    " s; CHANNELS_TIMEOUT sets how many it may take");
      default: break;
    }
    throw error("device: the run has ended without a result; please report this");
  }

  settings options_;
  bool lost_ = false;   // a kernel runs that cannot be stopped
  unsigned width_ = 0;  // lanes of a wavefront, which is a work-group
  unsigned groups_ = 0;
  std::size_t group_memory_ = 0;  // bytes
  detail::run_parameters<set> parameters_{};
  std::shared_ptr<detail::task_pool> pool_;
  std::unique_ptr<detail::pool_arena, detail::free_memory> arenas_;
  std::unique_ptr<std::uint32_t, detail::free_memory> windows_;
  std::unique_ptr<std::uint32_t, detail::free_memory> unit_parts_;
  std::unique_ptr<detail::control_block, detail::free_memory> control_;
  std::unique_ptr<detail::mailbox, detail::free_memory> mailboxes_;
  std::unique_ptr<std::uint32_t, detail::free_memory> inboxes_;
  std::unique_ptr<std::uint32_t, detail::free_memory> shared_;
  std::unique_ptr<host_block, detail::free_host_memory> host_;
  std::unique_ptr<detail::wave_progress, detail::free_host_memory> progress_;
  std::function<void(const call_progress&)> watcher_;
  std::chrono::steady_clock::time_point next_look_;
  detail::own_stream stream_;
  run_report report_;
};

}  // namespace channels::gpu
