#pragma once

#include <chrono>       // steady_clock
#include <cstddef>      // byte
#include <string_view>  // string_view

#include "channels/batch.hpp"
#include "channels/host/compute_unit.hpp"

namespace channels::detail {

/// Where a kernel node's code is, for each kind of device.
struct kernel_entry {
  host::kernel host = nullptr;
};

/// A batch on its way: what the device reads, and what it fills in. Stays where it is until it
/// comes back.
struct flight {
  batch work;
  kernel_entry kernel;
  const void* arguments = nullptr;
};

/// What one run tells a device before its first batch.
struct run_setup {
  const bound_channel* restarts = nullptr;
  std::uint32_t width = 64;
  std::uint32_t refuse_share = 0;  ///< of reservations, in 2^-32
  std::uint64_t seed = 1;
  bool timed = false;
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
  [[nodiscard]] virtual std::uint32_t compute_units() const = 0;
  /// Batches that may be in flight at once.
  [[nodiscard]] virtual std::uint32_t most_in_flight() const = 0;

  /// Memory for channels, aligned to a page; null if it cannot be had. What is not written is not
  /// touched.
  [[nodiscard]] virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void release(std::byte* memory, std::size_t bytes) = 0;
  /// Zeroes memory that a new channel needs zeroed.
  virtual void zero(std::byte* memory, std::size_t bytes) = 0;

  virtual void begin(const run_setup& setup) = 0;
  /// Takes a batch. There must be fewer than `most_in_flight`.
  virtual void submit(flight* f) = 0;
  /// A batch that has ended, or null.
  [[nodiscard]] virtual flight* poll() = 0;
  /// Passes the time until a batch may have ended, at most until `deadline`: a device whose units
  /// are threads runs a batch on this one. True if it did.
  virtual bool lend(clock::time_point deadline) = 0;
  /// Grows while kernels run. May be called from any thread.
  [[nodiscard]] virtual std::uint64_t heartbeat() const = 0;
  /// Tells kernels to end at the next wavefront. May be called from any thread.
  virtual void stop() = 0;
  /// Whether kernels end early: after `stop`, or because one of them threw.
  [[nodiscard]] virtual bool stopped() const = 0;
  /// Ends the run; no batch is in flight. Returns what the units counted, or throws what a kernel
  /// node threw.
  virtual host::work_counters end() = 0;
};

}  // namespace channels::detail
