#pragma once

#include <cstddef>      // byte, size_t
#include <type_traits>  // is_scalar_v, is_trivially_copyable_v, remove_all_extents_t

#include "channels/gpu/port/launch.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// Throws `channels::error` if the device could not be told of a variable.
void check_bound(gpu::error_code code);

/// The host tells a unit's device code where a variable of the program, or its copy, is. Throws
/// `channels::error` if the device cannot be told.
template <class T>
void bind_on_device(T*& symbol, T* variable) {
#if defined(CHANNELS_GPU_EMULATED)
  symbol = variable;
#elif defined(__HIP__)
  check_bound(
      hipMemcpyToSymbol(HIP_SYMBOL(symbol), static_cast<const void*>(&variable), sizeof variable));
#else
  check_bound(cudaMemcpyToSymbol(symbol, static_cast<const void*>(&variable), sizeof variable));
#endif
}

/// The same for the steps of tasks that the host takes: it has a symbol of its own, and reads the
/// variable itself.
template <class T>
void bind_on_host([[maybe_unused]] T*& symbol, [[maybe_unused]] T* variable) {
#if !defined(CHANNELS_GPU_EMULATED)
  symbol = variable;
#endif
}

/// The same for both.
template <class T>
void bind(T*& symbol, T* variable) {
  bind_on_host(symbol, variable);
  bind_on_device(symbol, variable);
}

/// Whether an object is its bytes. A reducer of cilk/reducer.h is if its view is one: the view is
/// all that it has.
template <class T>
constexpr bool is_its_bytes() {
  if constexpr (requires {
                  typename T::monoid_type;
                  typename T::view_type;
                })
    return std::is_trivially_copyable_v<typename T::view_type>;
  return std::is_trivially_copyable_v<T>;
}

/// The variables of a unit of which tasks have copies (`variable_copies`).
class named_variables {
 public:
  named_variables() = default;
  named_variables(const named_variables&) = delete;
  named_variables& operator=(const named_variables&) = delete;
  virtual ~named_variables() = default;

  /// Names a variable that tasks only read.
  template <class T>
  void copy_in(T*& symbol, T* variable) {
    add(made_for(symbol, variable), false);
  }
  /// Names a variable that tasks change.
  template <class T>
  void copy_in_and_out(T*& symbol, T* variable) {
    add(made_for(symbol, variable), true);
  }

 protected:
  struct entry {
    std::byte* variable;  // the host's
    std::size_t bytes;
    std::size_t unit;  // bytes that change together
    std::size_t alignment;
    void* symbol;
    void (*bind_to)(void* symbol, void* copy);
    std::size_t offset = 0;  // in the block
  };

  template <class T>
  static entry made_for(T*& symbol, T* variable) {
    using element = std::remove_all_extents_t<T>;
    static_assert(is_its_bytes<element>());
    bind_on_host(symbol, variable);
    const auto bind_to = [](void* to, void* copy) {
      bind_on_device(*static_cast<T**>(to), static_cast<T*>(copy));
    };
    // Strands may work on different members at the same time, so bytes are compared one by one.
    const std::size_t unit = std::is_scalar_v<element> ? sizeof(element) : 1;
    auto* const first =
        const_cast<std::byte*>(reinterpret_cast<const volatile std::byte*>(variable));
    return {first, sizeof(T), unit, alignof(T), static_cast<void*>(&symbol), bind_to};
  }

 private:
  virtual void add(const entry& one, bool changes) = 0;
};

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
