#pragma once

#include <cstdint>  // uint64_t
#include <cstring>  // memcpy

#include "channels/detail/channel_view.hpp"
#include "channels/detail/element.hpp"

namespace channels::detail {

/// How channels store elements of one type.
struct element_code {
  std::size_t bytes;  ///< of an element
  /// Bytes of the data array of a channel of `capacity` elements.
  std::size_t (*data_bytes)(std::size_t capacity);
  /// Stores the element with this ticket; `element` need not be aligned.
  void (*store)(const channel_view&, std::uint64_t ticket, const void* element);
  /// Copies the element with this ticket to `element`, which need not be aligned.
  void (*load)(const channel_view&, std::uint64_t ticket, void* element);
};

template <element T>
std::size_t data_bytes_of(std::size_t capacity) {
  return layout_of<T>::bytes(capacity);
}
template <element T>
void store_element(const channel_view& to, std::uint64_t ticket, const void* element) {
  T value;  // a copy: `element` lies among bytes, where nothing is aligned for a T
  std::memcpy(&value, element, sizeof value);
  layout_of<T>::store(to.data(), to.capacity(), to.slot(ticket), value);
}
template <element T>
void load_element(const channel_view& from, std::uint64_t ticket, void* element) {
  const T value = layout_of<T>::load(from.data(), from.capacity(), from.slot(ticket));
  std::memcpy(element, &value, sizeof value);
}

template <element T>
inline constexpr element_code code_of_element{sizeof(T), &data_bytes_of<T>, &store_element<T>,
                                              &load_element<T>};

}  // namespace channels::detail
