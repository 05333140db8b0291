#pragma once

#include <chrono>       // steady_clock
#include <cstddef>      // byte
#include <memory>       // unique_ptr, shared_ptr
#include <string>       // string
#include <string_view>  // string_view

#include "channels/detail/batch.hpp"
#include "channels/detail/device_memory.hpp"
#include "channels/detail/flight.hpp"
#include "channels/detail/model.hpp"
#include "channels/detail/task_allocations.hpp"
#include "channels/detail/work_counters.hpp"

/// What runs batches: the CPU, or a GPU.
namespace channels::detail {

class aggregating_device;
class logging_device;

/// Memory for channels. What the aggregator reads and writes (counters and control words) is in
/// `control`; elements are in `data`, at the same distance from the start. On a device that shares
/// the host's memory both are the same address.
struct channel_memory {
  std::byte* control = nullptr;
  std::byte* data = nullptr;
  std::size_t clean = 0;  ///< bytes from the start of `control` that are 0
};

/// What one run tells a device before its first batch.
struct run_setup {
  const bound_channel* restarts = nullptr;  ///< where kernels enqueue restart contexts
  /// What `make_task_memory` returned for this run; null if tasks do not allocate.
  task_allocations* memory = nullptr;
  std::uint32_t width = 64;        ///< lanes of a wavefront
  std::uint32_t refuse_share = 0;  ///< share of reservations to refuse, in 2^-32
  std::uint64_t seed = 1;          ///< of the generator that chooses which
  bool timed = false;              ///< whether to note when batches ran
  /// Entries that a `logging_device` may note for each track; 0 unless the run is traced.
  std::uint32_t log = 0;
  const graph_model* model = nullptr;
};

/// Runs batches. It knows batches and channels, and nothing of graphs or of Cilk. A new device
/// implements the pure functions; the others have a default that is right for a device that shares
/// the host's memory. The aggregator's thread calls all of it, except where it says otherwise.
class device {
 public:
  using clock = std::chrono::steady_clock;

  device() = default;
  device(const device&) = delete;
  device& operator=(const device&) = delete;
  virtual ~device() = default;

  // What it is. The values do not change; any thread may ask.

  /// The value of `settings::device` that chooses it.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// What its maker calls it; empty if that cannot be found out.
  [[nodiscard]] virtual std::string model() const { return {}; }
  /// What its makers call a compute unit.
  [[nodiscard]] virtual std::string_view unit_name() const { return "compute unit"; }
  /// Compute units that run batches beside each other: 1 if one batch may fill the device.
  [[nodiscard]] virtual std::uint32_t compute_units() const = 0;
  /// Batches that may be in flight at once.
  [[nodiscard]] virtual std::uint32_t most_in_flight() const = 0;
  /// Whether it fills in `batch::times` when `run_setup::timed`, and `lent_until`. Another device
  /// fills in `flight::device_start` and `device_end` if it knows them, and retries and yields;
  /// otherwise a batch counts from its dispatch to the moment at which its end is seen.
  [[nodiscard]] virtual bool times_batches() const { return false; }
  /// Whether it fills in `flight::written` instead of enqueueing what batches write. Channels need
  /// no control arrays then.
  [[nodiscard]] virtual bool reports_writes() const { return false; }
  /// Whether large batches matter more to it than that channels fit a cache. Channels then grow, up
  /// to `settings::capacity` and while there is memory, before batches are cut for room.
  [[nodiscard]] virtual bool wants_large_channels() const { return false; }
  /// Wavefronts that can be at work at once and have a part of an accumulator in the device's
  /// memory; 0 if each compute unit has a part in the host's memory.
  [[nodiscard]] virtual std::uint32_t parts() const { return 0; }
  /// The same device as one with an aggregator of its own; null if it has none.
  [[nodiscard]] virtual aggregating_device* as_aggregating() { return nullptr; }
  /// The same device as one that notes what its units did in a traced run; null if it does not.
  [[nodiscard]] virtual logging_device* as_logging() { return nullptr; }

  // Memory.

  /// Memory for channels, aligned to a page; null pointers if it cannot be had. Pages that are not
  /// written to are not touched.
  [[nodiscard]] virtual channel_memory allocate(std::size_t bytes) = 0;
  /// Takes back what `allocate(bytes)` returned.
  virtual void release(channel_memory memory, std::size_t bytes) = 0;
  /// Copies elements that the host stored in `control` of `memory`, at this distance from its
  /// start, to `data`. Batches submitted later see them.
  virtual void upload(channel_memory memory, std::size_t offset, std::size_t bytes) = 0;
  /// The other way: copies them from `data` to `control`, where the host reads them at once.
  /// Nothing is in flight.
  virtual void download(channel_memory memory, std::size_t offset, std::size_t bytes) = 0;
  /// Memory that kernels use and, between runs, the host. Throws `channels::error` if there is
  /// none. Called only if `parts` is not 0.
  [[nodiscard]] virtual std::shared_ptr<device_memory> make_memory(std::size_t bytes) = 0;
  /// A small piece of memory that kernels and the host use at any time.
  [[nodiscard]] virtual std::shared_ptr<void> make_shared_memory(std::size_t bytes) = 0;
  /// Memory of `bytes` bytes for what the tasks of one run allocate besides their frames. Throws
  /// `channels::error` if there is none.
  [[nodiscard]] virtual std::unique_ptr<task_allocations> make_task_memory(std::size_t bytes) = 0;

  // A run: `begin`, then `submit`, `lend` and `poll` in any order, then `end`.

  /// Throws `channels::error` if this device cannot run a node of `model`.
  virtual void check(const graph_model& model) const = 0;
  virtual void begin(const run_setup& setup) = 0;
  /// Takes a batch. Fewer than `most_in_flight` are in flight.
  virtual void submit(flight* f) = 0;
  /// A batch that has ended, or null.
  [[nodiscard]] virtual flight* poll() = 0;
  /// Passes the time until a batch may have ended, at most until `deadline`. A device whose units
  /// are threads runs a batch on the caller's thread; then it returns true.
  virtual bool lend(clock::time_point deadline) = 0;
  /// When the batch that `lend` ran last ended, in ticks; only if the device times batches.
  [[nodiscard]] virtual std::uint64_t lent_until() const { return 0; }
  /// A count that grows while kernels run, for the watchdog. Any thread may call it.
  [[nodiscard]] virtual std::uint64_t heartbeat() const = 0;
  /// Tells kernels to end at the next wavefront. Any thread may call it.
  virtual void stop() = 0;
  /// Whether kernels end early: after `stop`, or because one of them threw.
  [[nodiscard]] virtual bool stopped() const = 0;
  /// Ends the run; nothing is in flight. Returns what kernel nodes counted, or throws what a kernel
  /// node threw, or `channels::error` if the device failed.
  virtual work_counters end() = 0;

  /// Called in a process that was forked, by its only thread: whether the device can be used there.
  virtual bool go_on_after_fork() { return false; }
};

}  // namespace channels::detail
