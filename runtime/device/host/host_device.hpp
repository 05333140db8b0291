#pragma once

#include <memory>  // shared_ptr

#include "runtime/device/device.hpp"

namespace channels::detail {

/// Whether this thread runs a batch of a kernel node at the moment.
[[nodiscard]] bool in_kernel_node();

/// The CPU as a device, and the default one. A compute unit is a thread that takes batches from a
/// channel: unit 0 is the aggregator's own thread while it lends itself, the others are oneTBB
/// workers, who come when batches wait and go back to oneTBB when none do.
class host_device final : public device {
 public:
  /// `compute_units`: 0 for one on each core.
  explicit host_device(std::uint32_t compute_units);
  ~host_device() override;

  [[nodiscard]] std::string_view name() const override { return "host"; }
  [[nodiscard]] std::uint32_t compute_units() const override;
  [[nodiscard]] std::uint32_t most_in_flight() const override;
  [[nodiscard]] std::byte* allocate(std::size_t bytes) override;
  void release(std::byte* memory, std::size_t bytes) override;
  void zero(std::byte* memory, std::size_t bytes) override;
  void begin(const run_setup& setup) override;
  void submit(flight* f) override;
  [[nodiscard]] flight* poll() override;
  bool lend(clock::time_point deadline) override;
  [[nodiscard]] std::uint64_t heartbeat() const override;
  void stop() override;
  [[nodiscard]] bool stopped() const override;
  host::work_counters end() override;

 private:
  struct state;
  std::shared_ptr<state> state_;  // workers own it too: one may still be on its way out
};

}  // namespace channels::detail
