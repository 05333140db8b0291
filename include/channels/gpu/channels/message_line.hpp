#pragma once

#include "channels/gpu/port/atomic.hpp"

/// Messages that are read in one round trip to memory.
namespace channels::gpu::detail {

/// All lanes of a wavefront together. Orders nothing.
CHANNELS_GPU_INLINE void copy_words(void* to, const void* from, std::uint32_t words) {
  for (std::uint32_t i = lane_index(); i < words; i += wave_width)
    static_cast<std::uint32_t*>(to)[i] = static_cast<const std::uint32_t*>(from)[i];
}

/// A message of 32 words of 32 bits, each with the number of the message beside it in one word of
/// 64. A reader that finds the expected number
/// in all of them has read the whole message, in one round trip to memory, whatever else the line
/// held before or comes to hold.
struct line {
  static constexpr std::uint32_t size = 32;
  std::uint64_t words[size];
};

/// All lanes of a wavefront together, after a release fence for `Reader`. With that fence each word
/// is a release: the reader knows what the wavefront knew.
template <scope Reader = scope::device>
CHANNELS_GPU_INLINE void write_line(line& to, const std::uint32_t* message, std::uint32_t number) {
  for (std::uint32_t i = lane_index(); i < line::size; i += wave_width) {
    channels::detail::atomic_store<release_beside_fence, Reader>(
        &to.words[i], std::uint64_t{number} << 32U | message[i]);
  }
}
/// A line as it was found. All lanes call its functions together.
class line_copy {
 public:
  /// Acquire: what the writer knew is known to the lane that read a word of the message, and after
  /// a fence in the wavefront to all.
  template <scope Writer = scope::device, order Order = order::acquire>
  CHANNELS_GPU_INLINE void read(const line& from) {
    CHANNELS_GPU_UNROLL
    for (std::uint32_t k = 0; k < per_lane; ++k) {
      const std::uint32_t i = lane_index() + k * wave_width;
      word_[k] = load<Order, Writer>(&from.words[i % line::size]);
    }
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_message(std::uint32_t number) const {
    bool torn = false;
    for (std::uint32_t k = 0; k < per_lane; ++k)
      torn |= static_cast<std::uint32_t>(word_[k] >> 32U) != number;
    return ballot(torn) == 0;
  }
  /// The number of the message that its first word belongs to.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t number() const {
    return of_lane(static_cast<std::uint32_t>(word_[0] >> 32U), 0);
  }
  CHANNELS_GPU_INLINE void copy_to(std::uint32_t* message) const {
    for (std::uint32_t k = 0; k < per_lane; ++k) {
      const std::uint32_t i = lane_index() + k * wave_width;
      if (i < line::size) message[i] = static_cast<std::uint32_t>(word_[k]);
    }
  }

 private:
  static constexpr std::uint32_t per_lane = (line::size + wave_width - 1) / wave_width;
  std::uint64_t word_[per_lane];
};

}  // namespace channels::gpu::detail
