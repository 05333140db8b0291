#pragma once

#include <chrono>       // steady_clock
#include <cstddef>      // byte
#include <memory>       // unique_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include "channels/detail/batch.hpp"
#include "channels/detail/device_log.hpp"
#include "channels/detail/device_memory.hpp"
#include "channels/detail/handover.hpp"
#include "channels/detail/model.hpp"
#include "channels/host/compute_unit.hpp"

/// What runs batches: the CPU, or a GPU.
namespace channels::detail {

/// A node's code for a GPU.
struct gpu_code {
  const char* device = nullptr;  ///< which was it compiled for, as `settings::device` names it
  /// Starts it. `batch`: what that device has made of a flight.
  void (*launch)(const void* arguments, const void* batch) = nullptr;
  /// For a kernel that stays, with the aggregator. What there is only that device knows.
  const void* persistent = nullptr;
};

/// Elements that a batch has written to one of its outputs.
struct written_run {
  std::uint32_t output = 0;
  run elements;
};

/// A batch on its way: what the device reads, and what it fills in. Stays where it is until it
/// comes back.
struct flight {
  batch work;
  const node_model* node = nullptr;  ///< who consumes it
  /// By output: elements that the batch may write; as many are kept free for it.
  const std::uint64_t* promised = nullptr;
  bool frames = false;   ///< consumes frames
  bool alone = false;    ///< no other is under way: it may write as much as there is room for
  bool granted = false;  ///< its one frame may have, until it finishes, what is kept of task memory
  /// When the batch began and ended in nanoseconds by the device's clock, if it has one of its own;
  /// 0 if that is unknown.
  std::uint64_t device_start = 0;
  std::uint64_t device_end = 0;
  /// Filled in by a device that `reports_writes`: what there is to enqueue, in any order.
  std::vector<written_run> written;
};

/// Memory for channels. What the aggregator reads and writes, counters and control words, lies in
/// `control`, elements lie in `data`, each at the same distance from the start. On a device that
/// shares the host's memory the two are one.
struct channel_memory {
  std::byte* control = nullptr;
  std::byte* data = nullptr;
  std::size_t clean = 0;  ///< bytes from the start of `control` that are 0
};

/// Memory that the tasks of a run allocate besides their frames, as the aggregator sees it.
class task_allocations {
 public:
  task_allocations() = default;
  task_allocations(const task_allocations&) = delete;
  task_allocations& operator=(const task_allocations&) = delete;
  virtual ~task_allocations() = default;

  /// Grows when there may be memory for those who wait.
  [[nodiscard]] virtual std::uint64_t releases() const = 0;
  /// The error, if a frame that has to go on found no memory; otherwise nothing.
  [[nodiscard]] virtual std::string failure() const = 0;
  /// Makes the most of what is free. Nothing runs.
  virtual void join() {}
  /// Whether it keeps some for frames that are let go on alone (`flight::granted`).
  [[nodiscard]] virtual bool grants() const { return false; }
};

/// What one run tells a device before its first batch.
struct run_setup {
  const bound_channel* restarts = nullptr;
  task_allocations* memory = nullptr;  ///< if tasks allocate: what `make_task_memory` has made
  std::uint32_t width = 64;
  std::uint32_t refuse_share = 0;  ///< of reservations, in 2^-32
  std::uint64_t seed = 1;
  bool timed = false;
  /// Of a traced run: how much a device with a clock of its own is to note for each track. 0: none.
  std::uint32_t log = 0;
  const graph_model* model = nullptr;
};

/// Runs batches. Knows channels, and nothing of graphs or of Cilk. One thread, the aggregator's,
/// calls it.
class device {
 public:
  using clock = std::chrono::steady_clock;

  device() = default;
  device(const device&) = delete;
  device& operator=(const device&) = delete;
  virtual ~device() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// What its maker calls it; "" if that cannot be found out.
  [[nodiscard]] virtual std::string model() const { return {}; }
  /// What its makers call a compute unit.
  [[nodiscard]] virtual std::string_view unit_name() const { return "compute unit"; }
  /// Whether it fills in `batch::times`, if `run_setup::timed`. Other devices fill in their own
  /// clock's times, if they know them, and retries and yields; else a batch counts from when it is
  /// submitted to when it is seen to have ended.
  [[nodiscard]] virtual bool times_batches() const { return false; }
  /// Whether it tells the aggregator in `flight::written` what batches wrote, instead of enqueueing
  /// it. Then channels need no control arrays.
  [[nodiscard]] virtual bool reports_writes() const { return false; }
  /// Whether large batches matter more to it than that channels fit a cache. Then channels grow, up
  /// to `settings::capacity` and as there is memory, rather than that batches are cut for room.
  [[nodiscard]] virtual bool wants_large_channels() const { return false; }
  [[nodiscard]] virtual std::uint32_t compute_units() const = 0;
  /// Batches that may be in flight at once.
  [[nodiscard]] virtual std::uint32_t most_in_flight() const = 0;

  /// Throws `channels::error` if there is something in `model` that this device cannot run.
  virtual void check(const graph_model& model) const = 0;
  /// Memory for channels, aligned to a page; null if it cannot be had. What is not written is not
  /// touched.
  [[nodiscard]] virtual channel_memory allocate(std::size_t bytes) = 0;
  virtual void release(channel_memory memory, std::size_t bytes) = 0;
  /// Copies what the host has stored to `control` of `memory`, for elements, to `data`.
  virtual void upload(channel_memory memory, std::size_t offset, std::size_t bytes) = 0;

  /// Fills memory for frames of the counted rule with what is no ready frame: an aggregator on the
  /// device looks at all that may be one.
  virtual void blank(std::byte* /*data*/, std::size_t /*bytes*/) {}

  /// How many wavefronts can be at work at once and have a part of an accumulator in the device's
  /// memory; 0 where compute units have theirs in the host's.
  [[nodiscard]] virtual std::uint32_t parts() const { return 0; }
  /// Memory that the device's kernels and, between runs, the host use. Throws if there is none.
  [[nodiscard]] virtual std::shared_ptr<device_memory> make_memory(std::size_t bytes) = 0;
  /// Memory that both use at any time, for what is small.
  [[nodiscard]] virtual std::shared_ptr<void> make_shared_memory(std::size_t bytes) = 0;

  /// `bytes` for what the tasks of a run allocate besides their frames.
  [[nodiscard]] virtual std::unique_ptr<task_allocations> make_task_memory(std::size_t bytes) = 0;

  virtual void begin(const run_setup& setup) = 0;
  /// Takes a batch. There must be fewer than `most_in_flight`.
  virtual void submit(flight* f) = 0;
  /// A batch that has ended, or null.
  [[nodiscard]] virtual flight* poll() = 0;
  /// Passes the time until a batch may have ended, at most until `deadline`: a device whose units
  /// are threads runs a batch on this one. True if it did.
  virtual bool lend(clock::time_point deadline) = 0;
  /// When that batch has ended, in ticks; if the device times batches.
  [[nodiscard]] virtual std::uint64_t lent_until() const { return 0; }

  // A device may have an aggregator of its own, which decides while nothing out of the ordinary
  // happens. Meanwhile the host hands it nothing else.

  /// Why that cannot be for `model`; "" if it can.
  [[nodiscard]] virtual std::string why_no_aggregator(const graph_model& /*model*/) const {
    return "it has no aggregator of its own";
  }
  /// Begins with what is in `r`, which stays where it is. Nothing is in flight.
  virtual void hand_over(handover& /*r*/) {}
  /// True if the aggregator on the device has left everything to the host, in `r`.
  [[nodiscard]] virtual bool has_handed_back(handover& /*r*/) { return false; }
  /// Tasks that it has done and the level that it is at, as of a moment ago.
  [[nodiscard]] virtual handover_progress how_far() const { return {}; }
  /// A batch that was left: it comes back from `poll`.
  virtual void return_batch(flight* /*f*/, const handover::left_batch& /*batch*/) {}

  /// Grows while kernels run. May be called from any thread.
  [[nodiscard]] virtual std::uint64_t heartbeat() const = 0;
  /// Tells kernels to end at the next wavefront. May be called from any thread.
  virtual void stop() = 0;
  /// Whether kernels end early: after `stop`, or because one of them threw.
  [[nodiscard]] virtual bool stopped() const = 0;
  /// Ends the run; no batch is in flight. Returns what the units counted, or throws what a kernel
  /// node threw.
  virtual host::work_counters end() = 0;
  /// Takes from the device what its units have noted of the run that has ended: see
  /// `run_setup::log`.
  virtual noted_work take_log() { return {}; }
  /// Appends it to `to`, which has room for it. Any thread may, until the next log is taken.
  virtual void read_log(std::vector<unit_work>& /*to*/) const {}
};

}  // namespace channels::detail
