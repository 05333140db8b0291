#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // uint32_t

#include "channels/config.hpp"
#include "channels/gpu/port/compiler.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// A call in the text of the program.
struct call_place {
  const char* file;
  const char* function;
  std::uint32_t line;
};

/// Such a place in memory of the host, which a lane writes.
struct told_place {
  std::uint32_t line;
  char file[192];
  char function[64];

  /// One lane calls it.
  CHANNELS_GPU_INLINE void set(call_place from) {
    line = from.line;
    copy(file, sizeof file, from.file);
    copy(function, sizeof function, from.function);
  }

 private:
  static CHANNELS_DEVICE void copy(char* to, std::size_t room, const char* from) {
    std::size_t i = 0;
    for (; from != nullptr && from[i] != 0 && i + 1 < room; ++i) to[i] = from[i];
    to[i] = 0;
  }
};

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
