#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // uint32_t
#include <string>       // string, to_string
#include <string_view>  // string_view

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

  /// The host calls it: where this is, in a call of `root` from the host.
  [[nodiscard]] std::string text(const char* root) const {
    std::string name = function;
    // cilk2chan puts this in front of a function's name where lanes share its loops.
    constexpr std::string_view by_lanes = "cilk_by_lanes_";
    if (name.starts_with(by_lanes)) name.erase(0, by_lanes.size());
    std::string where = std::string("task ") + root;
    // The nodes of a task, and its leaf, are functions of these names.
    if (!name.empty() && name != "enter" && name != "resume" && name != "leaf")
      where += ", in " + name;
    return where + " (" + file + ":" + std::to_string(line) + ")";
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
