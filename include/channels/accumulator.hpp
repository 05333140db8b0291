#pragma once

#include <functional>  // plus
#include <memory>      // shared_ptr
#include <vector>      // vector

#include "channels/config.hpp"

namespace channels {

/// A value that many lanes add to, without atomics: each compute unit has its own part. Made by
/// `graph::accumulator`; copies are the same accumulator.
template <class T, class Combine = std::plus<>>
class accumulator {
 public:
  using value_type = T;

  accumulator(T identity, Combine combine, std::uint32_t compute_units)
      : identity_(std::move(identity)),
        combine_(std::move(combine)),
        parts_(std::make_shared<std::vector<part>>(compute_units, part{identity_})) {}

  /// What all units gathered. Call it when no run is on.
  [[nodiscard]] T value() const {
    T sum = identity_;
    for (const part& p : *parts_) sum = combine_(sum, p.value);
    return sum;
  }
  void reset() const {
    for (part& p : *parts_) p.value = identity_;
  }
  /// The part of one compute unit.
  [[nodiscard]] T& part_of(std::uint32_t unit) const { return (*parts_)[unit].value; }

 private:
  struct alignas(cache_line) part {
    T value;
  };

  T identity_;
  Combine combine_;
  std::shared_ptr<std::vector<part>> parts_;
};

}  // namespace channels
