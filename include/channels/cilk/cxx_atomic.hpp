#pragma once

#include <atomic>       // atomic, memory_order
#include <type_traits>  // remove_cv_t, remove_reference_t

#include "channels/cilk/atomic_place.hpp"

/// Operations on `std::atomic` for a device, where its members have no code. A unit includes this
/// behind all other headers, and writes `channels::cilk::atomic_of(n).load()` for `n.load()`.
namespace channels::cilk {

template <class T>
struct value_of_atomic {};
template <class T>
struct value_of_atomic<std::atomic<T>> {
  using type = T;
};

/// The place of an atomic variable. Other objects stay what they are: the text of a template is
/// that of all its instances.
template <class Object>
CHANNELS_DEVICE decltype(auto) atomic_of(Object&& object) {
  using plain = std::remove_cv_t<std::remove_reference_t<Object>>;
  if constexpr (requires { typename value_of_atomic<plain>::type; }) {
    using value = typename value_of_atomic<plain>::type;
    static_assert(sizeof(value) == sizeof(plain));
    return atomic_place<value, std::memory_order>(
        reinterpret_cast<value*>(const_cast<plain*>(__builtin_addressof(object))));
  } else {
    return static_cast<Object&&>(object);
  }
}

}  // namespace channels::cilk
