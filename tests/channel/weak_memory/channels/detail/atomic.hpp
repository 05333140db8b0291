#pragma once

// Found before the library's own header of this name, and in its place: the same operations, on a
// simulated memory.

#include <type_traits>  // type_identity_t

#include "channels/config.hpp"
#include "tests/channel/weak_memory/machine.hpp"

namespace channels::detail {

using channels::testing::weak_machine;

enum class order { relaxed, acquire, release, acq_rel };

constexpr auto load_half(order o) {
  return o == order::acquire || o == order::acq_rel ? weak_machine::load_order::acquire
                                                    : weak_machine::load_order::relaxed;
}
constexpr auto store_half(order o) {
  return o == order::release || o == order::acq_rel ? weak_machine::store_order::release
                                                    : weak_machine::store_order::relaxed;
}

template <order O, class T>
T atomic_load(const T* word) {
  return static_cast<T>(weak_machine::running->load(word, *word, load_half(O)));
}

template <order O, class T>
void atomic_store(T* word, std::type_identity_t<T> value) {
  weak_machine::running->store(word, *word, value, store_half(O));
}

template <order O, class T>
T atomic_fetch_add(T* word, std::type_identity_t<T> value) {
  return static_cast<T>(
      weak_machine::running->fetch_add(word, *word, value, load_half(O), store_half(O)));
}

template <order O, class T>
bool atomic_compare_exchange(T* word, T& expected, std::type_identity_t<T> desired) {
  std::uint64_t found = expected;
  const bool exchanged = weak_machine::running->compare_exchange(
      word, *word, found, desired, load_half(O), store_half(O), load_half(O));
  expected = static_cast<T>(found);
  return exchanged;
}

}  // namespace channels::detail
