#include "driver/race_options.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace cilk2chan {
namespace {

constexpr const char* race_library = "libchannels_races.a";
constexpr const char* race_plugin = "libchannels_races_pass.so";

// Functions of the C library whose calls ld gives to the library (runtime/races/strings.cpp,
// buffers.cpp, locks.cpp, heap.cpp).
constexpr const char* watched_functions[] = {"strlen",
                                             "strnlen",
                                             "strcpy",
                                             "strncpy",
                                             "strcat",
                                             "strncat",
                                             "strcmp",
                                             "strncmp",
                                             "strchr",
                                             "strrchr",
                                             "strstr",
                                             "strdup",
                                             "memcmp",
                                             "memchr",
                                             "vsnprintf",
                                             "snprintf",
                                             "sprintf",
                                             "fgets",
                                             "fread",
                                             "fwrite",
                                             "qsort",
                                             "munmap",
                                             "pthread_mutex_lock",
                                             "pthread_mutex_trylock",
                                             "pthread_mutex_unlock",
                                             "pthread_rwlock_rdlock",
                                             "pthread_rwlock_tryrdlock",
                                             "pthread_rwlock_wrlock",
                                             "pthread_rwlock_trywrlock",
                                             "pthread_rwlock_unlock",
                                             "pthread_spin_lock",
                                             "pthread_spin_trylock",
                                             "pthread_spin_unlock"};

}  // namespace

bool has_race_parts(const std::string& library) {
  for (const char* name : {race_library, race_plugin}) {
    const std::string file = beside(library, name);
    if (!llvm::sys::fs::exists(file))
      return fail("cannot find '" + file +
                  "', which '--races' needs; build the project where CMake finds libbacktrace");
  }
  return true;
}

arguments race_compile_options(const std::string& library, bool is_c) {
  arguments made = {"-fpass-plugin=" + beside(library, race_plugin)};
  if (!is_c) append(made, {"-include", "channels/cilk/watched_strings.hpp"});
  return made;
}

arguments race_libraries(const std::string& library) {
  arguments made = {"-Wl,-u,channels_races_start"};
  for (const char* name : watched_functions) made.push_back(std::string("-Wl,--wrap=") + name);
  append(made, {beside(library, race_library), "-pthread"});
  return made;
}

}  // namespace cilk2chan
