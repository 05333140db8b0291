#pragma once

#include <cstddef>      // nullptr_t, ptrdiff_t
#include <memory>       // shared_ptr
#include <type_traits>  // is_void_v, remove_cv_t, remove_reference_t

#include "channels/config.hpp"  // CHANNELS_DEVICE

/// What a `std::shared_ptr` leads to, for a device, where its members have no code. A unit includes
/// this behind all other headers, and writes `channels::cilk::shared_of(p)->n` for `p->n`.
namespace channels::cilk {

/// The pointer in a `std::shared_ptr`, which does not own what it leads to.
template <class T>
struct shared_view {
  T* at;

  CHANNELS_DEVICE T* get() const { return at; }
  CHANNELS_DEVICE T* operator->() const { return at; }
  CHANNELS_DEVICE auto& operator*() const
    requires(!std::is_void_v<T>)
  {
    return *at;
  }
  CHANNELS_DEVICE auto& operator[](std::ptrdiff_t i) const
    requires(!std::is_void_v<T>)
  {
    return at[i];
  }
  CHANNELS_DEVICE explicit operator bool() const { return at != nullptr; }
  CHANNELS_DEVICE bool operator==(std::nullptr_t) const { return at == nullptr; }
  template <class U>
  CHANNELS_DEVICE bool operator==(shared_view<U> other) const {
    return at == other.at;
  }
};

template <class T>
struct target_of_shared {};
template <class T>
struct target_of_shared<std::shared_ptr<T>> {
  using type = typename std::shared_ptr<T>::element_type;
};

/// The view of a shared pointer. Other objects stay what they are: the text of a template is that
/// of all its instances.
template <class Object>
CHANNELS_DEVICE decltype(auto) shared_of(Object&& object) {
  using plain = std::remove_cv_t<std::remove_reference_t<Object>>;
  if constexpr (requires { typename target_of_shared<plain>::type; }) {
    using target = typename target_of_shared<plain>::type;
    // The libraries' begin with the pointer, and what counts the owners follows.
    static_assert(sizeof(plain) == 2 * sizeof(target*));
    return shared_view<target>{
        *reinterpret_cast<target* const*>(const_cast<const plain*>(__builtin_addressof(object)))};
  } else {
    return static_cast<Object&&>(object);
  }
}

}  // namespace channels::cilk
