#pragma once

#include <chrono>      // steady_clock
#include <functional>  // function
#include <memory>      // make_unique, shared_ptr, unique_ptr
#include <string>      // string, to_string
#include <utility>     // exchange, move
#include <vector>      // vector

#include "channels/detail/call_progress.hpp"
#include "channels/detail/running_time.hpp"
#include "channels/error.hpp"
#include "channels/gpu/scheduler/gpu_part.hpp"
#include "channels/gpu/tuning.hpp"
#include "channels/settings.hpp"

/// Tasks on a GPU: what is the same for all tasks.
namespace channels::gpu {

/// What one GPU did in the runs of a `caller`.
struct gpu_report {
  int gpu = 0;              ///< its number, as the vendor counts those that are visible
  std::uint64_t tasks = 0;  ///< that it ran
  std::uint64_t given = 0;  ///< tasks that it gave to other GPUs
  std::uint64_t taken = 0;  ///< tasks that came from other GPUs
};

/// What the runs of a `caller` did. Counts are sums over all runs so far, and over all GPUs.
struct run_report {
  std::uint64_t tasks = 0;
  std::uint64_t resumed = 0;  ///< frames that went on after a sync
  std::uint64_t yields = 0;
  std::uint64_t host_steps = 0;    ///< of tasks, that cores of the host took
  std::uint64_t gifts = 0;         ///< from one wavefront to another, of the same GPU
  std::uint64_t given = 0;         ///< tasks in these gifts
  std::uint64_t turns = 0;         ///< of wavefronts that had work
  std::uint64_t reserve_uses = 0;  ///< memory was out, and a wavefront went on alone
  double lanes_active = 0;         ///< share of the lanes that had work in these turns, 0 to 1
  std::uint32_t lanes = 0;         ///< lanes that take part in a run
  std::uint64_t memory = 0;        ///< bytes of the devices' memory that the caller holds
  std::uint64_t memory_used = 0;   ///< bytes of the pools that the last run used
  std::uint64_t gpu_gifts = 0;     ///< from one GPU to another
  std::vector<gpu_report> gpus;    ///< each GPU that takes part in a run
};

/// Runs tasks of a set as `caller` does (caller.hpp), which has the types.
class run_caller {
 public:
  /// A pool for each GPU that a run uses, or null.
  using pools = std::vector<std::shared_ptr<detail::task_pool>>;

  /// See `caller`. `host_steps`: the host reaches all that the tasks use, and may take steps of
  /// them (host_steps.hpp).
  run_caller(const detail::set_code& code, const settings& options, std::vector<int> gpus,
             const pools& shared, bool host_steps = true)
      : code_(code), options_(options) {
    if (gpus.empty()) {
      throw error(
          "device: there is no GPU, or no driver for it; channels::call runs tasks on the CPU");
    }
    if (!code.travels) gpus = {gpus[0]};
    if (gpus.size() > 1) detail::connect(gpus);
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      const detail::on_gpu here(gpus[i]);
      parts_.push_back(std::make_unique<part>(
          code, options, i < shared.size() ? shared[i] : nullptr, gpus.size() > 1, host_steps));
    }
    if (parts_.size() > 1) introduce();
  }
  run_caller(const run_caller&) = delete;
  run_caller& operator=(const run_caller&) = delete;
  ~run_caller() = default;

  /// Runs task number `root` of the set with `arguments`, of so many bytes. Returns where the
  /// result is, until the next run.
  const void* run(std::uint32_t root, const void* arguments, std::size_t bytes) {
    if (lost_)
      throw error("device: it still runs a task of an earlier run that could not be stopped");
    next_look_ = std::chrono::steady_clock::now() +
                 std::chrono::milliseconds(run_tuning::ms_between_progress_reads);
    try {
      start(root, arguments, bytes);
    } catch (const error&) {
      stop_all();
      throw;
    }
    return wait().result();
  }

  /// From now on the caller tells `watcher` how far a run is, some times a second while the run
  /// goes on, in the thread that waits for it. Not to be called during a run.
  void watch(std::function<void(const call_progress&)> watcher) {
    for (const auto& one : parts_) one->watch();
    watcher_ = std::move(watcher);
  }

  /// What all runs so far did. Copies from the devices; not to be called during a run.
  [[nodiscard]] run_report report() const {
    run_report all;
    double busy = 0;
    for (const auto& one : parts_) {
      const detail::control_block c = one->counted();
      all.tasks += c.tasks;
      all.resumed += c.resumed;
      all.yields += c.yields;
      all.host_steps += one->host_steps();
      all.gifts += c.gifts;
      all.given += c.given;
      all.turns += c.turns;
      all.reserve_uses += c.reserve.uses;
      all.lanes += one->waves() * one->width();
      all.memory += one->memory();
      all.memory_used += one->memory_used();
      all.gpu_gifts += c.peer_gifts;
      all.gpus.push_back({one->gpu(), c.tasks, c.peer_given, c.peer_taken});
      busy += static_cast<double>(c.busy) / one->width();
    }
    all.lanes_active = all.turns == 0 ? 0.0 : busy / static_cast<double>(all.turns);
    return all;
  }
  /// The memory of the first GPU for frames and ready tasks.
  [[nodiscard]] const std::shared_ptr<detail::task_pool>& pool() const { return parts_[0]->pool(); }
  /// That of each GPU, for another caller that does not run at the same time.
  [[nodiscard]] pools all_pools() const {
    pools all;
    for (const auto& one : parts_) all.push_back(one->pool());
    return all;
  }

 private:
  using part = detail::gpu_part;

  /// Tells each GPU where the others' blocks are.
  void introduce() {
    std::vector<detail::peer_block*> blocks;
    for (const auto& one : parts_) blocks.push_back(one->make_block());
    for (std::uint32_t i = 0; i < parts_.size(); ++i) parts_[i]->know_peers(blocks, i);
  }

  void start(std::uint32_t root, const void* arguments, std::size_t bytes) {
    for (const auto& one : parts_) one->prepare_run(root, arguments, bytes);
    if (parts_.size() > 1) {
      // A GPU that has begun gives to those that ask, and tells all others when the run is over.
      for (const auto& one : parts_) one->finish_preparing();
    }
    // The first has the root: when it begins, the others ask for parts of it.
    for (auto one = parts_.rbegin(); one != parts_.rend(); ++one) (*one)->start();
  }

  /// Polls the run for `patience` at most. True if it has ended on all GPUs. If it fails on one, it
  /// throws when those that can be stopped have ended.
  bool ends_within(std::chrono::milliseconds patience) {
    channels::detail::running_time waited;
    for (;;) {
      bool running = false;
      for (const auto& one : parts_) try {
          running = one->is_running() || running;
        } catch (const error&) {
          lost_ = true;
          stop_all();
          throw;
        }
      if (!running) return true;
      const auto now = std::chrono::steady_clock::now();
      if (waited.look(now) > patience) return false;
      if (watcher_ && now >= next_look_) tell_watcher(now);
    }
  }
  /// Asks all GPUs to end the run, and waits for that for a while. Those that go on are lost.
  void stop_all() {
    for (const auto& one : parts_) one->ask_to_stop();
    channels::detail::running_time waited;
    bool running = true;
    while (running && waited.look() <= std::chrono::milliseconds(wait_tuning::scheduler_grace_ms)) {
      running = false;
      for (const auto& one : parts_) running = runs_still(*one) || running;
    }
    for (const auto& one : parts_) {
      if (runs_still(*one)) {
        one->lose();
        lost_ = true;
      } else {
        one->forget_stop();
      }
    }
  }
  static bool runs_still(part& one) {
    try {
      return one.is_running();
    } catch (const error&) {
      return false;  // it has failed; another failure is told
    }
  }

  [[nodiscard]] std::uint64_t tasks_so_far() const {
    call_progress all{};
    for (const auto& one : parts_) one->add_progress(all);
    return all.tasks;
  }

  void tell_watcher(std::chrono::steady_clock::time_point now) {
    call_progress all{};
    for (const auto& one : parts_) one->add_progress(all);
    watcher_(all);
    next_look_ = now + std::chrono::milliseconds(run_tuning::ms_between_progress_reads);
  }

  /// Until the run has ended. Returns the part that has the result. Throws if the run failed or had
  /// to be stopped.
  const part& wait() {
    std::uint64_t begun = 0;
    while (!ends_within(options_.timeout)) {
      // Wavefronts tell it at times: the first look may be at tasks that began long ago.
      const std::uint64_t before = std::exchange(begun, tasks_so_far());
      if (begun != before) continue;
      stop_all();
      if (lost_) {
        throw error("device: a task has not returned in " +
                    std::to_string(options_.timeout.count() / 1000) +
                    " s; the device cannot be used any more by this process");
      }
      break;
    }
    const part* last = nullptr;
    const part* failed = nullptr;
    detail::failure why = detail::failure::none;
    for (const auto& one : parts_) {
      if (one->take_ended()) last = one.get();
      const detail::failure its = one->take_failure();
      // One that was told to stop says less than the one that is why.
      if (its == detail::failure::none) continue;
      if (failed != nullptr && its == detail::failure::stopped) continue;
      if (failed != nullptr && why != detail::failure::stopped) continue;
      failed = one.get();
      why = its;
    }
    if (failed == nullptr && last != nullptr) return *last;
    throw_failure(why, failed != nullptr ? *failed : *parts_[0]);
  }

  [[noreturn]] void throw_failure(detail::failure why, const part& failed) const {
    const auto& told = failed.told();
    const bool summing = code_.kept_in == stacks::summing;
    std::string where = std::string("task ") + code_.name(told.where);
    if (!summing) where += ", level " + std::to_string(told.level);
    const std::string memory =
        (told.units == 0
             ? std::string()
             : " (" + std::to_string(std::size_t{told.units} * detail::unit_bytes) + " bytes)") +
        (!summing ? ", although it runs alone and depth first" : "") +
        "; CHANNELS_MEMORY sets how many bytes all lanes have together, now " +
        std::to_string(failed.pool()->bytes());
    const std::string device =
        parts_.size() > 1 ? "device: " + detail::full_name_of_gpu(failed.gpu()) + ": " : "device: ";
    switch (why) {
      case detail::failure::memory:
        throw error(device + where + ": no memory is left for its frame" + memory);
      case detail::failure::ready:
        throw error(device + where + ": no memory is left for its children" + memory);
      case detail::failure::heap:
        throw error(device + where + ": no memory is left for what it allocates" + memory);
      case detail::failure::room:
        throw error(device + where +
                    ": it yields although room was not denied; its spawn_bound may be too small");
      case detail::failure::unread:
        throw error(
            "device: a wavefront has not read the task that it was given; please report this");
      case detail::failure::points:
        throw error(device + where + ": it waits at a point beyond " +
                    std::to_string(detail::record_head::most_points));
      case detail::failure::stopped:
        throw error("device: no task has begun in " +
                    std::to_string(options_.timeout.count() / 1000) +
                    " s; CHANNELS_TIMEOUT sets how long that may take");
      default: break;
    }
    throw error("device: the run has ended without a result; please report this");
  }

  const detail::set_code& code_;
  settings options_;
  bool lost_ = false;  // a kernel runs that cannot be stopped, or has failed
  std::vector<std::unique_ptr<part>> parts_;
  std::function<void(const call_progress&)> watcher_;
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace channels::gpu
