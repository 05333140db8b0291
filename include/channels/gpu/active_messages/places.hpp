#pragma once

#include <cstdint>  // fixed-width integers
#include <utility>  // move
#include <vector>   // vector

#include "channels/gpu/active_messages/mail.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/scheduler/chosen_gpus.hpp"
#include "channels/settings.hpp"

namespace channels::gpu {

/// GPUs of this process that send messages to each other; each is a place. A copy stands for the
/// same places.
class places {
 public:
  /// Uses of `options`: `devices`, the GPUs, by default all that reach each other's memory;
  /// `compute_units` of each, 0 for all; `timeout`, how long a run may get nowhere. Throws
  /// `channels::error` if there is no GPU or no driver for it, or if `devices` names one that is
  /// not there or that others do not reach.
  explicit places(settings options = settings::from_environment())
      : options_(std::move(options)), gpus_(detail::chosen_gpus(options_.devices)) {
    if (gpus_.empty()) throw error("device: there is no GPU, or no driver for it");
    detail::connect(gpus_);
  }

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(gpus_.size()); }
  /// The GPU of a place, as the vendor counts those that are visible.
  [[nodiscard]] int gpu(std::uint32_t place) const { return gpus_[place]; }
  [[nodiscard]] const settings& options() const { return options_; }

 private:
  settings options_;
  std::vector<int> gpus_;
};

}  // namespace channels::gpu
