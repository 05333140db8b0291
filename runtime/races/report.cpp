// What a program says about its races, on stderr.

#include <backtrace.h>  // libbacktrace
#include <cxxabi.h>     // __cxa_demangle
#include <link.h>       // dl_iterate_phdr
#include <unistd.h>     // _exit, getcwd

#include <algorithm>  // max
#include <cstdio>     // fprintf
#include <cstdlib>    // getenv, free
#include <cstring>    // strcmp
#include <set>        // set
#include <string>     // string
#include <tuple>      // tuple

#include "runtime/races/detector.hpp"

namespace channels::races {
namespace {

/// Races that are printed; all are counted.
constexpr unsigned most_printed = 100;
/// The exit status of a program with races, as of one that the thread sanitizer stops.
constexpr int status_with_races = 66;

unsigned found_races = 0;

backtrace_state* debug_info() {
  static backtrace_state* const made =
      backtrace_create_state(nullptr, 0, [](void*, const char*, int) {}, nullptr);
  return made;
}

/// A file's name from here, if it lies below.
std::string from_here(const std::string& file) {
  static const std::string here = [] {
    char* const folder = getcwd(nullptr, 0);
    const std::string made = folder != nullptr ? std::string(folder) + "/" : "";
    std::free(folder);
    return made;
  }();
  return !here.empty() && file.starts_with(here) ? file.substr(here.size()) : file;
}

/// Where code is, in the program's own words.
struct place {
  std::string file;
  int line = 0;
  std::string function;

  [[nodiscard]] std::string text() const {
    std::string made = file.empty() ? "unknown code" : from_here(file);
    if (line > 0) made += ":" + std::to_string(line);
    return function.empty() ? made : made + " in " + function + "()";
  }
};

/// The function that the user wrote: cilk2chan makes functions of spawns and loops out of it.
std::string users_function(const char* name) {
  if (name == nullptr) return {};
  int status = 0;
  char* const readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string made = readable != nullptr ? readable : name;
  std::free(readable);
  made = made.substr(0, std::min(made.find("::$_"), made.find("::{lambda")));
  made = made.substr(0, made.find('('));
  for (const char* mark : {"_spawn_", "_for_"}) {
    const auto at = made.rfind(mark);
    if (at != std::string::npos && made.find_first_of("0123456789", at) == at + std::strlen(mark)) {
      made.resize(at);
    }
  }
  const auto space = made.rfind(' ');
  return space == std::string::npos || made.find('<') < space ? made : made.substr(space + 1);
}

bool is_users(const std::string& file) {
  // The same headers as in compiler/race_pass.
  const bool installed = file.starts_with("/usr/") && !file.starts_with("/usr/src/") &&
                         file.find("/include/") != std::string::npos;
  return !installed && file.find("<cilk2chan>") == std::string::npos &&
         file.find("/channels/cilk/") == std::string::npos;
}

/// The innermost place of the user's own at `pc`, the address behind a call. Code that was inlined
/// there is in several places.
place find_place(std::uintptr_t pc) {
  struct search {
    place found;
    bool users = false;
  } all;
  const auto note = [](void* data, std::uintptr_t, const char* file, int line,
                       const char* function) {
    auto& s = *static_cast<search*>(data);
    if (s.users || file == nullptr) return 0;
    const bool own = is_users(file) && line > 0;
    if (s.found.line <= 0 || own) s.found = {file, line, users_function(function)};
    s.users = own;
    return 0;
  };
  const auto look = [&](std::uintptr_t at) {
    backtrace_pcinfo(debug_info(), at, note, [](void*, const char*, int) {}, &all);
  };
  look(pc - 1);
  // Code that a compiler has moved has no line: it counts to the user's code before it, or after
  // it.
  const place here = all.found;
  for (std::uintptr_t away = 2; away < 64 && here.line <= 0 && !all.users; ++away) look(pc - away);
  for (std::uintptr_t away = 1; away < 64 && here.line <= 0 && !all.users; ++away) look(pc + away);
  if (!all.users) all.found = here;
  if (all.found.file.empty()) {
    backtrace_syminfo(
        debug_info(), pc - 1,
        [](void* data, std::uintptr_t, const char* name, std::uintptr_t, std::uintptr_t) {
          static_cast<search*>(data)->found.function = users_function(name);
        },
        [](void*, const char*, int) {}, &all);
  }
  return all.found;
}

/// Whether a variable is one of a shared library, such as std::cout: how strands may use it is the
/// library's matter.
bool is_of_shared_library(std::uintptr_t address) {
  struct search {
    std::uintptr_t address;
    bool first = true;  // the program itself
    bool found = false;
  } all{address};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& s = *static_cast<search*>(data);
        for (unsigned i = 0; i < object->dlpi_phnum && !s.first; ++i) {
          const ElfW(Phdr)& part = object->dlpi_phdr[i];
          s.found = s.found || (part.p_type == PT_LOAD &&
                                s.address - object->dlpi_addr - part.p_vaddr < part.p_memsz);
        }
        s.first = false;
        return s.found ? 1 : 0;
      },
      &all);
  return all.found;
}

std::string symbol_at(std::uintptr_t address) {
  std::string name;
  backtrace_syminfo(
      debug_info(), address,
      [](void* data, std::uintptr_t, const char* symbol, std::uintptr_t, std::uintptr_t) {
        if (symbol == nullptr) return;
        int status = 0;
        // Without this, a variable called `a` would be a type.
        char* const readable = std::strncmp(symbol, "_Z", 2) == 0
                                   ? abi::__cxa_demangle(symbol, nullptr, nullptr, &status)
                                   : nullptr;
        *static_cast<std::string*>(data) = readable != nullptr ? readable : symbol;
        std::free(readable);
      },
      [](void*, const char*, int) {}, &name);
  return name;
}

/// The same where the program has a copy of the library's variable.
bool is_standard_stream(const std::string& name) {
  for (const char* one : {"cout", "cin", "cerr", "clog", "wcout", "wcin", "wcerr", "wclog"}) {
    if (name.starts_with(std::string("std::") + one)) return true;
  }
  return false;
}

std::string variable(std::uintptr_t address) {
  const known_block block = block_at(address);
  if (block.begin != 0) {
    const std::uintptr_t offset = address - block.begin;
    return "byte " + std::to_string(offset) + " of " + std::to_string(block.bytes) +
           " that were allocated at " + find_place(block.code).text();
  }
  if (address < the_detector.stack_top &&
      address > reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))
    return "a local variable";
  const std::string name = symbol_at(address);
  if (!name.empty()) return "global '" + name + "'";
  char text[32];
  std::snprintf(text, sizeof text, "address %#zx", static_cast<std::size_t>(address));
  return text;
}

const char* word(access_kind kind) {
  switch (kind) {
    case access_kind::read: return "read";
    case access_kind::write: return "write";
    case access_kind::atomic_read: return "atomic read";
    case access_kind::atomic_write: return "atomic write";
    default: return "free";
  }
}

void say_count() {
  std::fprintf(stderr, "races: %u found%s\n", found_races,
               found_races > most_printed ? "; the first 100 are above" : "");
}

void at_exit() {
  on = false;
  if (found_races == 0) return;
  std::fflush(nullptr);
  say_count();
  _exit(status_with_races);
}

}  // namespace

void out_of_moments() {
  on = false;
  std::fflush(nullptr);
  std::fprintf(stderr,
               "races: this run has more than 2147483647 children of spawns and iterations of "
               "cilk_for, and what follows is not looked at; run the program on a smaller input\n");
  say_count();
  _exit(found_races != 0 ? status_with_races : 1);
}

void report(const race& found) {
  const unwatched here;
  using key = std::tuple<access_kind, access_kind, std::uintptr_t, std::uintptr_t>;
  static auto* const seen = new std::set<key>;
  if (!seen->insert({found.earlier, found.later, found.earlier_code, found.later_code}).second)
    return;
  if (is_of_shared_library(found.address) || is_standard_stream(symbol_at(found.address))) return;
  static auto* const told = new std::set<std::string>;
  const std::string earlier = find_place(found.earlier_code).text();
  const std::string later = find_place(found.later_code).text();
  std::string places = std::string(word(found.earlier)) + " at " + earlier + " and " +
                       word(found.later) + " at " + later;
  if (!told->insert(places).second) return;
  if (++found_races > most_printed) return;
  place spawn = find_place(found.child.spawn);
  spawn.function.clear();
  const std::string why =
      found.child.loop
          ? earlier == later || found.child.end >= the_detector.strands.now
                ? "they are in different iterations of the cilk_for at " + spawn.text()
                : "the cilk_for at " + spawn.text() + " runs its iterations in any order"
          : "the spawn at " + spawn.text() + " has no cilk_sync before the " + word(found.later);
  std::fflush(stdout);
  std::fprintf(stderr, "race: %s\n  of %s: %s\n", places.c_str(), variable(found.address).c_str(),
               why.c_str());
}

}  // namespace channels::races

using namespace channels::races;

extern "C" {

extern char __executable_start;

/// The driver links it into each program; it runs before other constructors.
__attribute__((constructor(101))) void channels_races_start() {
  if (on) return;
  code_base = reinterpret_cast<std::uintptr_t>(&__executable_start);
  the_detector.stack_top = UINTPTR_MAX;
  void* top = nullptr;
  // The program's arguments lie above all frames.
  top = __builtin_frame_address(0);
  the_detector.stack_top = reinterpret_cast<std::uintptr_t>(top) + (std::uintptr_t{1} << 20U);
  if (!the_detector.memory.start() || !the_detector.atomics.start()) {
    std::fprintf(stderr,
                 "races: the system reserves no 512 GiB of addresses for what is known of memory; "
                 "raise 'ulimit -v'\n");
    _exit(1);
  }
  std::atexit(at_exit);
  on = true;
}
}
