#pragma once

#include <type_traits>  // is_trivially_copyable_v

#include "channels/config.hpp"

/// How a channel stores its elements: record by record (array of structures), or, for a type that
/// declares its fields, field by field (structure of arrays; the paper leaves it to future work in
/// section 8.1), so that neighbouring lanes read neighbouring words.
namespace channels {

/// An element of a channel: a plain record that may be copied byte by byte, between lanes and
/// between devices.
template <class T>
concept element = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                  alignof(T) <= cache_line;

/// The fields of an element, in the order in which they are stored. A type declares them:
///
///     struct particle {
///       float x, y;
///       std::uint32_t cell;
///       using channel_fields = channels::fields<&particle::x, &particle::y, &particle::cell>;
///     };
template <auto... Members>
struct fields {};

namespace detail {

template <class M>
struct member_type;
template <class T, class Field>
struct member_type<Field T::*> {
  using type = Field;
};
template <auto Member>
using field_t = typename member_type<std::remove_cv_t<decltype(Member)>>::type;

template <class T>
concept declares_fields = requires { typename T::channel_fields; };

constexpr CHANNELS_DEVICE std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Array of structures.
template <class T>
struct aos_layout {
  static constexpr bool by_field = false;
  static constexpr std::size_t bytes_per_element = sizeof(T);

  static constexpr CHANNELS_DEVICE std::size_t bytes(std::size_t capacity) {
    return round_up(capacity * sizeof(T), cache_line);
  }
  static CHANNELS_INLINE CHANNELS_DEVICE T* at(std::byte* data, std::size_t slot) {
    return reinterpret_cast<T*>(data) + slot;
  }
  /// Calls `visit(offset, bytes)` for each piece of the data array that holds some of `count`
  /// elements from `slot` on.
  template <class Visit>
  static void each_piece(std::size_t /*capacity*/, std::size_t slot, std::size_t count,
                         const Visit& visit) {
    visit(slot * sizeof(T), count * sizeof(T));
  }
  static CHANNELS_INLINE CHANNELS_DEVICE T load(std::byte* data, std::size_t /*capacity*/,
                                                std::size_t slot) {
    return *at(data, slot);
  }
  static CHANNELS_INLINE CHANNELS_DEVICE void store(std::byte* data, std::size_t /*capacity*/,
                                                    std::size_t slot, const T& value) {
    *at(data, slot) = value;
  }
};

/// Structure of arrays. Each field's array starts on a cache line of its own.
template <class T, class Fields>
struct soa_layout;
template <class T, auto... Members>
struct soa_layout<T, fields<Members...>> {
  static_assert(sizeof...(Members) > 0, "channel_fields names no field");
  static_assert((sizeof(field_t<Members>) + ...) <= sizeof(T),
                "channel_fields names a field twice");
  static constexpr bool by_field = true;
  static constexpr std::size_t bytes_per_element = (sizeof(field_t<Members>) + ...);

  static constexpr CHANNELS_DEVICE std::size_t bytes(std::size_t capacity) {
    return (round_up(capacity * sizeof(field_t<Members>), cache_line) + ...);
  }
  template <class Visit>
  static void each_piece(std::size_t capacity, std::size_t slot, std::size_t count,
                         const Visit& visit) {
    std::size_t start = 0;
    ((visit(start + slot * sizeof(field_t<Members>), count * sizeof(field_t<Members>)),
      start += round_up(capacity * sizeof(field_t<Members>), cache_line)),
     ...);
  }
  static CHANNELS_INLINE CHANNELS_DEVICE T load(std::byte* data, std::size_t capacity,
                                                std::size_t slot) {
    T value{};
    ((value.*Members = *next_array<field_t<Members>>(data, capacity, slot)), ...);
    return value;
  }
  static CHANNELS_INLINE CHANNELS_DEVICE void store(std::byte* data, std::size_t capacity,
                                                    std::size_t slot, const T& value) {
    ((*next_array<field_t<Members>>(data, capacity, slot) = value.*Members), ...);
  }

 private:
  /// The field's element in the array that starts at `data`; moves `data` on to the next field's
  /// array.
  template <class Field>
  static CHANNELS_INLINE CHANNELS_DEVICE Field* next_array(std::byte*& data, std::size_t capacity,
                                                           std::size_t slot) {
    auto* const array = reinterpret_cast<Field*>(data);
    data += round_up(capacity * sizeof(Field), cache_line);
    return array + slot;
  }
};

template <class T>
struct chosen_layout {
  using type = aos_layout<T>;
};
template <declares_fields T>
struct chosen_layout<T> {
  using type = soa_layout<T, typename T::channel_fields>;
};

}  // namespace detail

/// The layout of `T` in a channel: by field where `T` declares `channel_fields`, by record
/// otherwise.
template <element T>
using layout_of = typename detail::chosen_layout<T>::type;

}  // namespace channels
