#pragma once

#include "channels/gpu/channels/batch_message.hpp"
#include "channels/gpu/channels/message_line.hpp"

/// What the device aggregator and its batch workers tell each other, in the device's memory.
namespace channels::gpu::detail {

/// What the device aggregator tells all batch workers of a batch. Its parts are where `batch_words`
/// says; the head has these words besides the common ones.
struct announcement {
  static constexpr std::uint32_t lines = 4;
  static constexpr std::uint32_t most_runs = 4;
  enum word : std::uint32_t {
    groups = batch_head::own,  ///< work-groups that have a part in the batch
    first_group,               ///< the first of them
    source,                    ///< channel
    budget,                    ///< frames that it may resume, where it has to look for them
    head
  };
  using words = batch_words<numbered_window, head>;

  [[nodiscard]] CHANNELS_GPU_INLINE static channels::run read_run(const std::uint32_t* message,
                                                                  std::uint32_t i) {
    return words::read_run(message, i);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE static numbered_window read_window(const std::uint32_t* message,
                                                                       std::uint32_t i) {
    return words::read_window(message, most_runs, i);
  }
  /// Words of a message with so many windows.
  [[nodiscard]] CHANNELS_GPU_INLINE static std::uint32_t size(std::uint32_t outputs) {
    return words::size(most_runs, outputs);
  }
  static_assert(words::size(most_runs, most_outputs) <= lines * line::size);

  line of[lines];
};
/// The words of a report: the last work-group of a batch tells the aggregator what the batch did.
struct report_word {
  enum word : std::uint32_t { taken, remarks = most_outputs, frames };
};

}  // namespace channels::gpu::detail
