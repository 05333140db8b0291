#pragma once

#include "channels/gpu/control.hpp"

namespace channels::gpu::detail {

/// Words of 32 bits.
constexpr CHANNELS_DEVICE std::uint32_t in_words(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + 3) / 4);
}

/// A lane's stack of words. Its upper end, the window, is in the memory of the work-group, where
/// word after word of a lane lies in the same bank, so that lanes at different depths do not meet;
/// what is further down is in the memory of the device. Places are numbered from the bottom.
///
/// `margin` words can be pushed and `reach` words below the end be touched after `settle`.
template <std::uint32_t Reach>
class lane_stack {
 public:
  static constexpr std::uint32_t reach = Reach;
  static constexpr std::uint32_t margin = Reach;
  static constexpr std::uint32_t chunk = Reach + Reach / 2;
  static constexpr std::uint32_t window = 4 * Reach;

  CHANNELS_GPU_INLINE lane_stack(std::uint32_t* near, std::uint32_t* far, std::uint32_t limit)
      : near_(near), far_(far), limit_(limit) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t size() const { return size_; }
  CHANNELS_GPU_INLINE void resize(std::uint32_t size) { size_ = size; }

  /// A word of the window.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t& operator[](std::uint32_t place) const {
    return near_[(place - base_) * wave_width];
  }
  /// A word anywhere.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t& anywhere(std::uint32_t place) const {
    return place >= base_ ? (*this)[place] : far_[place];
  }

  template <class T>
  CHANNELS_GPU_INLINE void store(std::uint32_t place, const T& value) const {
    std::uint32_t words[in_words(sizeof(T))];
    if constexpr (sizeof(T) % 4 != 0) words[sizeof(T) / 4] = 0;
    memcpy(words, &value, sizeof value);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < in_words(sizeof(T)); ++i) (*this)[place + i] = words[i];
  }
  template <class T>
  CHANNELS_GPU_INLINE void load(std::uint32_t place, T& value) const {
    std::uint32_t words[in_words(sizeof(T))];
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < in_words(sizeof(T)); ++i) words[i] = (*this)[place + i];
    memcpy(&value, words, sizeof value);
  }

  /// Whether the window is where it has to be.
  [[nodiscard]] CHANNELS_GPU_INLINE bool settled() const {
    return size_ - base_ <= window - margin && (base_ == 0 || size_ - base_ >= reach);
  }
  /// Moves the window to the end of the stack. False if there is no memory for what leaves it.
  CHANNELS_GPU_INLINE bool settle() {
    while (size_ - base_ > window - margin) {
      if (base_ + chunk > limit_) return false;
      for (std::uint32_t i = 0; i < chunk; ++i) {
        far_[base_ + i] = (*this)[base_ + i];
      }
      for (std::uint32_t i = base_ + chunk; i < size_; ++i) (*this)[i - chunk] = (*this)[i];
      base_ += chunk;
    }
    while (base_ != 0 && size_ - base_ < reach) {
      const std::uint32_t back = min(chunk, base_);
      for (std::uint32_t i = size_; i-- > base_;) (*this)[i + back] = (*this)[i];
      base_ -= back;
      for (std::uint32_t i = 0; i < back; ++i) (*this)[base_ + i] = far_[base_ + i];
    }
    return true;
  }

  /// Whether all of it fits the far memory.
  [[nodiscard]] CHANNELS_GPU_INLINE bool can_leave() const { return size_ <= limit_; }
  /// Puts all of it into the far memory, where somebody else may take it over.
  CHANNELS_GPU_INLINE void put_far() const {
    for (std::uint32_t i = base_; i < size_; ++i) far_[i] = (*this)[i];
  }
  /// Becomes an empty stack with other far memory.
  CHANNELS_GPU_INLINE void start_anew(std::uint32_t* far) {
    far_ = far;
    base_ = 0;
    size_ = 0;
  }
  /// Becomes the stack that was put into `far`.
  CHANNELS_GPU_INLINE void take_over(std::uint32_t* far, std::uint32_t size) {
    far_ = far;
    size_ = size;
    base_ = size > window - margin ? size - (window - margin) : 0;
    for (std::uint32_t i = base_; i < size_; ++i) (*this)[i] = far_[i];
  }

 private:
  std::uint32_t* near_;
  std::uint32_t* far_;
  std::uint32_t limit_;  // words of `far_`
  std::uint32_t base_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace channels::gpu::detail
