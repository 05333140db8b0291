#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // uint32_t, uintptr_t

#include "channels/gpu/compiled_program/unknown_call.hpp"
#include "channels/gpu/compiled_program/variables.hpp"
#include "channels/gpu/port/clock.hpp"
#include "channels/gpu/port/trap.hpp"
#include "channels/gpu/tuning.hpp"

/// Calls through pointers to functions, and of virtual functions, in the code of tasks. A pointer
/// is the address that the host has for the function, and an object leads to the host's table of
/// its class, so host and tasks agree on both. A unit knows the host's addresses of what may be
/// called so, and compares.
/// Before a function that chooses among others, which may come back to it.
#if defined(CHANNELS_GPU_EMULATED)
#define CHANNELS_CILK_APART
#else
#define CHANNELS_CILK_APART __noinline__
#endif

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// Where a lane tells the host of a call that it cannot make. It is static, as malloc.hpp's are.
CHANNELS_CILK_ADDRESS(unknown_call, device_unknown_call);

/// Any lane calls it, in place of a function that the device does not have. Does not return.
[[noreturn]] static CHANNELS_DEVICE inline void call_unknown([[maybe_unused]] call_place from) {
#if defined(CHANNELS_GPU_EMULATED) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if (!device_unknown_call->tell(from)) {
    // A trap ends all lanes. The one that tells the host comes first.
    const std::uint64_t since = gpu::detail::clock_ns();
    while (gpu::detail::clock_ns() - since < gpu::program_memory_tuning::longest_malloc_wait_ns)
      gpu::detail::nap();
  }
  gpu::detail::trap();
#endif
  __builtin_unreachable();
}

/// The type of a function without `noexcept`.
template <class Function>
struct plain_function;
template <class R, class... A>
struct plain_function<R(A...)> {
  using type = R(A...);
};
template <class R, class... A>
struct plain_function<R(A...) noexcept> {
  using type = R(A...);
};

// Each unit of an emulated device has its own.
namespace {

/// Calls what a pointer to such a function leads to. The end of a unit's text has one for each type
/// that is called; this one is for instances of templates that no task reaches.
template <class Function>
struct pointer_targets {
  template <class R, class... A>
  static CHANNELS_DEVICE R call(std::uintptr_t /*host*/, call_place from, A... /*arguments*/) {
    call_unknown(from);
  }
};

/// What stands in the place of a pointer that is called.
template <class R, class... A>
struct called_pointer {
  std::uintptr_t host;
  call_place from;

  CHANNELS_DEVICE R operator()(A... arguments) const {
    return pointer_targets<R(A...)>::template call<R, A...>(host, from,
                                                            static_cast<A&&>(arguments)...);
  }
};

template <class R, class... A>
CHANNELS_DEVICE inline called_pointer<R, A...> called(R (*host)(A...),
                                                      const char* file = __builtin_FILE(),
                                                      const char* function = __builtin_FUNCTION(),
                                                      std::uint32_t line = __builtin_LINE()) {
  return {reinterpret_cast<std::uintptr_t>(host), {file, function, line}};
}
/// In a template, what is called may be an object.
template <class Object>
CHANNELS_DEVICE inline Object&& called(Object&& object) {
  return static_cast<Object&&>(object);
}

/// Calls the virtual function with this number, of an object whose class has its table at `host`.
/// The end of a unit's text has one for each function that is called.
template <unsigned Number>
struct method_targets {
  template <class R, class... A>
  static CHANNELS_DEVICE R call(std::uintptr_t /*host*/, call_place from,
                                const volatile void* /*object*/, A... /*arguments*/) {
    call_unknown(from);
  }
};

/// What stands in the place of an object and its virtual function.
template <unsigned Number, class Function>
struct called_object;
template <unsigned Number, class R, class... A>
struct called_object<Number, R(A...)> {
  const volatile void* object;
  call_place from;

  CHANNELS_DEVICE R operator()(A... arguments) const {
    // Each object with virtual functions begins so.
    const std::uintptr_t host = *static_cast<const volatile std::uintptr_t*>(object);
    return method_targets<Number>::template call<R, A...>(host, from, object,
                                                          static_cast<A&&>(arguments)...);
  }
};

template <unsigned Number, class Function>
CHANNELS_DEVICE inline called_object<Number, Function> called_method(
    const volatile void* object, const char* file = __builtin_FILE(),
    const char* function = __builtin_FUNCTION(), std::uint32_t line = __builtin_LINE()) {
  return {object, {file, function, line}};
}

/// Where the objects of a class lead to, by where its table begins; 0 if it has none.
inline std::uintptr_t table_at(const char* table, std::size_t offset) {
  return table == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(table) + offset;
}

/// Tells the unit's device code the host's addresses.
template <std::size_t Count>
void bind_addresses([[maybe_unused]] std::uintptr_t (&symbol)[Count],
                    const std::uintptr_t (&host)[Count]) {
#if defined(CHANNELS_GPU_EMULATED)
  for (std::size_t i = 0; i < Count; ++i) symbol[i] = host[i];
#elif defined(__HIP__)
  check_bound(hipMemcpyToSymbol(HIP_SYMBOL(symbol), host, sizeof host));
#else
  check_bound(cudaMemcpyToSymbol(symbol, host, sizeof host));
#endif
}

}  // namespace

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
