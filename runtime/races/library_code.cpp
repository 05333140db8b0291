// Accesses in functions of installed headers, such as a container's, count to the user's code that
// called them.

#include "runtime/races/detector.hpp"

extern "C" {
extern char __start_channels_races_library[] __attribute__((weak, visibility("hidden")));
extern char __stop_channels_races_library[] __attribute__((weak, visibility("hidden")));
}

namespace channels::races {

library_code of_library;
__thread std::uintptr_t library_caller = 0;

}  // namespace channels::races

using namespace channels::races;

extern "C" {

// Before main, and before the constructors of the program's own variables.
__attribute__((constructor(101))) static void find_library_code() {
  char* volatile begin = __start_channels_races_library;
  of_library.begin = reinterpret_cast<std::uintptr_t>(begin);
  of_library.bytes =
      reinterpret_cast<std::uintptr_t>(__stop_channels_races_library) - of_library.begin;
}

/// A library's function begins, called from `caller`. Returns what to give to leave_library.
void* channels_races_enter_library(void* caller) {
  const std::uintptr_t before = library_caller;
  const auto code = reinterpret_cast<std::uintptr_t>(caller);
  // A call by the library, or by one that is not compiled with --races, has the same user's call
  // above it.
  const bool users = code - of_library.begin >= of_library.bytes && code - code_base <= 0x7fffffffU;
  if (users || before == 0) library_caller = code;
  return reinterpret_cast<void*>(before);
}

void channels_races_leave_library(void* before) {
  library_caller = reinterpret_cast<std::uintptr_t>(before);
}
}
