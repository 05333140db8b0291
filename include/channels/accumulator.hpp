#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <bit>          // bit_cast
#include <cstddef>      // byte
#include <functional>   // plus
#include <memory>       // shared_ptr
#include <type_traits>  // is_trivially_copyable_v
#include <vector>       // vector

#include "channels/detail/device_memory.hpp"

namespace channels {

/// A value that many lanes add to, without atomics: each compute unit has its own part.
/// `graph::accumulator` makes it; copies are the same accumulator.
template <class T, class Combine = std::plus<>>
class accumulator {
 public:
  using value_type = T;

  accumulator(T identity, Combine combine, std::uint32_t compute_units)
      : identity_(std::move(identity)),
        combine_(std::move(combine)),
        parts_(std::make_shared<std::vector<part>>(compute_units, part{identity_})) {}
  /// With `parts` parts in a device's memory, one for each wavefront that may be at work.
  accumulator(T identity, Combine combine, std::uint32_t parts,
              std::shared_ptr<detail::device_memory> on_device)
      : accumulator(std::move(identity), std::move(combine), 1) {
    device_parts_ = parts;
    on_device_ = std::move(on_device);
  }

  /// What all compute units gathered. No run of its graph may be in progress.
  [[nodiscard]] T value() const {
    T sum = identity_;
    for (const part& p : *parts_) sum = combine_(sum, p.value);
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (on_device_ == nullptr) return sum;
      std::vector<plain> parts(device_parts_);
      on_device_->read(parts.data(), sizeof(plain) * device_parts_);
      for (const plain& p : parts) sum = combine_(sum, std::bit_cast<T>(p));
    }
    return sum;
  }
  /// Sets all parts to the identity. No run of its graph may be in progress.
  void reset() const {
    for (part& p : *parts_) p.value = identity_;
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (on_device_ == nullptr) return;
      const std::vector<plain> parts(device_parts_, std::bit_cast<plain>(identity_));
      on_device_->write(parts.data(), sizeof(plain) * device_parts_);
    }
  }
  /// The parts in the device's memory; null if they are in the host's.
  [[nodiscard]] T* device_parts() const {
    return on_device_ == nullptr ? nullptr : static_cast<T*>(on_device_->data());
  }
  [[nodiscard]] const T& identity() const { return identity_; }
  [[nodiscard]] const Combine& combine() const { return combine_; }
  /// The part of one compute unit of the host; only that unit uses it during a run.
  [[nodiscard]] T& part_of(std::uint32_t unit) const { return (*parts_)[unit].value; }

 private:
  struct alignas(cache_line) part {
    T value;
  };

  /// The bytes of a T, without its constructors.
  struct alignas(T) plain {
    std::byte bytes[sizeof(T)];
  };

  T identity_;
  Combine combine_;
  std::shared_ptr<std::vector<part>> parts_;
  std::uint32_t device_parts_ = 0;
  std::shared_ptr<detail::device_memory> on_device_;
};

}  // namespace channels

#endif
