#pragma once

#include <cstdint>      // fixed-width integers
#include <string>       // string, to_string
#include <string_view>  // string_view

#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/clock.hpp"
#include "channels/gpu/port/device_code.hpp"
#include "channels/gpu/port/trap.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// A call in the text of the program.
struct call_place {
  const char* file;
  const char* function;
  std::uint32_t line;
};

/// What a lane tells the host when an allocation has found no room for too long. It is in pinned
/// memory of the host, which can be read when the device is lost.
struct allocation_failure {
  std::uint32_t happened;  ///< not 0: the rest is written
  std::uint32_t line;
  std::uint64_t bytes;
  char file[192];
  char function[64];

  /// One lane calls it, once for all lanes. Makes it visible to the host.
  CHANNELS_GPU_INLINE void tell(std::uint64_t wanted, call_place from) {
    bytes = wanted;
    line = from.line;
    copy(file, sizeof file, from.file);
    copy(function, sizeof function, from.function);
    gpu::detail::release_to_system();
    *const_cast<volatile std::uint32_t*>(&happened) = 1;
    gpu::detail::release_to_system();
  }

  /// The host calls it: what happened, in a call of `root` from the host. `memory`: bytes for all
  /// allocations.
  [[nodiscard]] std::string message(const char* root, std::uint64_t memory) const {
    std::string name = function;
    // cilk2chan puts this in front of a function's name where lanes share its loops.
    constexpr std::string_view by_lanes = "cilk_by_lanes_";
    if (name.starts_with(by_lanes)) name.erase(0, by_lanes.size());
    std::string where = std::string("task ") + root;
    // The nodes of a task, and its leaf, are functions of these names.
    if (!name.empty() && name != "enter" && name != "resume" && name != "leaf")
      where += ", in " + name;
    return "device: " + where + " (" + file + ":" + std::to_string(line) +
           "): no memory is left for the " + std::to_string(bytes) +
           " bytes that it allocates, and nothing was freed meanwhile; CHANNELS_DEVICE_MALLOC sets "
           "how many bytes there are for all tasks, now " +
           std::to_string(memory);
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
