#pragma once

#include <cstdint>  // uint32_t
#include <memory>   // shared_ptr

#include "channels/detail/device.hpp"

namespace channels::detail {

/// Whether this thread runs a batch of a kernel node at the moment.
[[nodiscard]] bool in_kernel_node();
/// The index of the compute unit that this thread is; 0 outside of batches.
[[nodiscard]] std::uint32_t unit_of_this_thread();

/// The CPU as a device; it is the default. A compute unit is a thread that takes batches from a
/// queue. Unit 0 is the aggregator's own thread while it lends itself. The others are
/// threads of the crew, which come when batches wait and go back when none do.
class host_device final : public device {
 public:
  /// `compute_units`: 0 for one for each core.
  explicit host_device(std::uint32_t compute_units);
  ~host_device() override;

  [[nodiscard]] std::string_view name() const override { return "host"; }
  [[nodiscard]] std::string model() const override;
  [[nodiscard]] bool times_batches() const override { return true; }
  [[nodiscard]] std::uint32_t compute_units() const override;
  [[nodiscard]] std::uint32_t most_in_flight() const override;
  void check(const graph_model& /*model*/) const override {}
  [[nodiscard]] channel_memory allocate(std::size_t bytes) override;
  void release(channel_memory memory, std::size_t bytes) override;
  void upload(channel_memory /*memory*/, std::size_t /*offset*/, std::size_t /*bytes*/) override {}
  void download(channel_memory /*memory*/, std::size_t /*offset*/, std::size_t /*bytes*/) override {
  }
  /// Not called: parts of accumulators are in the host's memory.
  [[nodiscard]] std::shared_ptr<device_memory> make_memory(std::size_t /*bytes*/) override {
    return nullptr;
  }
  [[nodiscard]] std::shared_ptr<void> make_shared_memory(std::size_t bytes) override;
  [[nodiscard]] std::unique_ptr<task_allocations> make_task_memory(std::size_t bytes) override;
  void begin(const run_setup& setup) override;
  void submit(flight* f) override;
  [[nodiscard]] flight* poll() override;
  bool lend(clock::time_point deadline) override;
  [[nodiscard]] std::uint64_t lent_until() const override;
  [[nodiscard]] std::uint64_t heartbeat() const override;
  void stop() override;
  [[nodiscard]] bool stopped() const override;
  work_counters end() override;
  bool go_on_after_fork() override;

 private:
  struct state;

  void free_kept();

  std::shared_ptr<state> state_;  // workers own it too: one may still be on its way out
  channel_memory kept_;           ///< of an earlier run
  std::size_t kept_bytes_ = 0;    ///< 0: there is none
};

}  // namespace channels::detail
