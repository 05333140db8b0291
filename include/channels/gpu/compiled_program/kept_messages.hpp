#pragma once

#include <cstdint>      // fixed-width integers
#include <type_traits>  // is_enum_v, is_floating_point_v, is_integral_v, is_pointer_v, is_signed_v

#include "channels/cilk/argument_kind.hpp"
#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/device_code.hpp"
#include "channels/gpu/port/fences.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// What lanes of one GPU write to stderr, in pinned memory of the host, which can be read when the
/// device is lost.
struct kept_messages {
  static constexpr std::uint32_t ready = 0x6d736721;
  /// In front of each message: of its kinds, its format and its arguments.
  struct head {
    std::uint32_t bytes;  ///< with this, a multiple of 8
    std::uint32_t state;  ///< `ready` when all of it is there
  };

  std::uint64_t used;  ///< bytes that messages have asked for
  std::uint64_t lost;  ///< messages for which there was no room
  alignas(8) char text[gpu::output_tuning::kept_bytes];

  /// A lane calls it.
  template <class... Arguments>
  CHANNELS_GPU_INLINE void write(const char* format, Arguments... arguments) {
    const std::uint64_t bytes = (sizeof(head) + (sizeof...(arguments) + 1) + length(format) +
                                 (bytes_of(arguments) + ... + 0) + 7) /
                                8 * 8;
    const std::uint64_t at = gpu::detail::fetch_add<channels::detail::order::relaxed>(&used, bytes);
    if (at + bytes > sizeof text) {
      gpu::detail::fetch_add<channels::detail::order::relaxed>(&lost, std::uint64_t{1});
      return;
    }
    auto* const own = reinterpret_cast<volatile head*>(text + at);
    own->bytes = static_cast<std::uint32_t>(bytes);
    char* to = text + at + sizeof(head);
    ((*to++ = static_cast<char>(kind_of<Arguments>())), ...);
    *to++ = static_cast<char>(argument_kind::end);
    to = put(to, format);
    ((to = put(to, arguments)), ...);
    gpu::detail::release_to_system();
    own->state = ready;
    gpu::detail::release_to_system();
  }

  /// The host calls it when no lane writes: prints all messages and forgets them.
  void print();

 private:
  static CHANNELS_DEVICE std::uint64_t length(const char* one) {
    std::uint64_t bytes = 1;
    for (; *one != 0; ++one) ++bytes;
    return bytes;
  }
  template <class Argument>
  static constexpr CHANNELS_DEVICE bool is_text() {
    return std::is_same_v<Argument, char*> || std::is_same_v<Argument, const char*>;
  }
  template <class Argument>
  static CHANNELS_DEVICE std::uint64_t bytes_of(Argument argument) {
    if constexpr (is_text<Argument>()) {
      return length(argument != nullptr ? argument : "(null)");
    } else {
      (void)argument;
      return 8;
    }
  }
  template <class Argument>
  static constexpr CHANNELS_DEVICE argument_kind kind_of() {
    if constexpr (is_text<Argument>()) {
      return argument_kind::text;
    } else if constexpr (std::is_floating_point_v<Argument>) {
      return argument_kind::real;
    } else if constexpr (std::is_integral_v<Argument> || std::is_enum_v<Argument>) {
      return std::is_signed_v<Argument> ? argument_kind::signed_number
                                        : argument_kind::unsigned_number;
    } else {
      static_assert(std::is_pointer_v<Argument> || std::is_null_pointer_v<Argument>,
                    "fprintf takes numbers, texts and pointers");
      return argument_kind::pointer;
    }
  }
  template <class Argument>
  static CHANNELS_DEVICE char* put(char* to, Argument argument) {
    if constexpr (is_text<Argument>()) {
      const char* from = argument != nullptr ? argument : "(null)";
      do {
        *to++ = *from;
      } while (*from++ != 0);
      return to;
    } else if constexpr (std::is_floating_point_v<Argument>) {
      return put_bytes(to, static_cast<double>(argument));
    } else if constexpr (std::is_pointer_v<Argument> || std::is_null_pointer_v<Argument>) {
      return put_bytes(to, static_cast<const void*>(argument));
    } else {
      return put_bytes(to, static_cast<std::int64_t>(argument));
    }
  }
  // Texts in front of it may leave it anywhere.
  template <class Value>
  static CHANNELS_DEVICE char* put_bytes(char* to, Value value) {
    static_assert(sizeof value == 8);
    const char* const from = reinterpret_cast<const char*>(&value);
    for (int i = 0; i < 8; ++i) *to++ = from[i];
    return to;
  }
};

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
