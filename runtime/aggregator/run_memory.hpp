#pragma once

#include <fmt/format.h>  // format

#include <cstddef>  // size_t

#include "channels/detail/device.hpp"
#include "channels/error.hpp"

namespace channels::detail {

/// The channel memory of one run. Invariant: the run has it from construction to destruction, and
/// `clean` bytes at its start are 0 when it goes back to the device.
class run_memory {
 public:
  /// Throws `channels::error` if `on` does not have `bytes` bytes.
  run_memory(device& on, const graph_model& model, std::size_t bytes)
      : device_(on), bytes_(bytes), memory_(on.allocate(bytes)) {
    if (memory_.data != nullptr) return;
    throw error(
        fmt::format("{}: the {} device has no {} bytes for channels; set CHANNELS_MEMORY lower",
                    model.name, on.name(), bytes));
  }
  run_memory(const run_memory&) = delete;
  run_memory& operator=(const run_memory&) = delete;
  ~run_memory() { device_.release(memory_, bytes_); }

  [[nodiscard]] const channel_memory& all() const { return memory_; }
  /// What is left behind the first `used` bytes.
  [[nodiscard]] channel_memory after(std::size_t used) const {
    return {memory_.control + used, memory_.data + used};
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// From now on so many bytes at the start of the control part are 0.
  void set_clean(std::size_t bytes) { memory_.clean = bytes; }

 private:
  device& device_;
  std::size_t bytes_;
  channel_memory memory_;
};

}  // namespace channels::detail
