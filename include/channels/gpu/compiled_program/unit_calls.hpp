#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // uint32_t

#include "channels/gpu/compiled_program/variables.hpp"
#include "channels/gpu/scheduler/set_code.hpp"

/// What a unit's code and the host's part of the device know of each other.
namespace channels::detail {
struct call_code;
}
namespace channels::heap {
struct arena;
}

namespace channels::cilk {

/// What a unit's device code needs of the device, as far as the compiler can see.
struct device_needs {
  bool memory = false;     ///< it calls malloc or uses new
  bool output = false;     ///< it calls printf
  bool messages = false;   ///< it calls fprintf or its like
  bool endings = false;    ///< it calls exit or its like
  bool pointers = false;   ///< it calls functions through pointers
  bool recursion = false;  ///< functions that are not tasks call themselves
  bool addresses =
      false;  ///< tasks may pass on addresses of constants, which each GPU has elsewhere
};

inline namespace CHANNELS_CILK_ON {

struct allocation_failure;
struct kept_messages;
struct program_end;
struct unknown_call;

/// Where lanes tell the host something, and the arena of malloc; null: the unit needs none.
struct told_places {
  kept_messages* messages = nullptr;
  program_end* end = nullptr;
  unknown_call* unknown = nullptr;
  allocation_failure* no_memory = nullptr;
  heap::arena* arena = nullptr;
};

/// A unit, for the host's part.
struct unit_code {
  device_needs wanted;
  /// Calls `bind`, or a function of the copies, for each variable of the program that the unit
  /// uses.
  void (*bind_variables)(named_variables& copies);
  void (*bind_told)(const told_places& told);
  std::size_t ready_on = 0;  ///< GPUs of the program, from the first on, that can run its tasks
};

/// A task that the host calls, for the host's part.
struct root_code {
  const char* name;
  std::uint32_t argument_bytes;
  std::uint32_t result_bytes;
  std::uint32_t number;  ///< of its set
  const gpu::detail::set_code* set;
  const channels::detail::call_code* in_channels;
};

/// Called before `main`.
void begin_unit(const unit_code& unit);

/// Runs a task of `unit` on the device. The arguments are at `arguments`, and the result goes to
/// `result`. If it fails, the program ends with a message.
void run_root(unit_code& unit, const root_code& root, const void* arguments, void* result);

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
