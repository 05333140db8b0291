#pragma once

#include "driver/installation.hpp"
#include "driver/options.hpp"

#include "tasks/task_plan.hpp"  // compiler_error

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// Compiles and links `text`, the tasks of a whole program (`--tasks`). Returns whether it worked;
/// if not, there is no output file.
[[nodiscard]] bool compile(const options& chosen, const installation& place,
                           const std::string& text);

/// The tasks of a source, beside its host code.
struct task_part {
  std::string text;     // C++
  std::string devices;  // for the compilers of devices; empty if none is wanted
  /// Symbols of host code that become local to its object: entries in the tasks' object have these
  /// names.
  std::vector<std::string> entered;
  bool plain = false;  ///< some of the tasks are plain forms, which use what is private
};

/// One source, and what the compilers get of it.
struct translated_file {
  input_file source;
  options chosen;                   // for this file
  std::optional<std::string> text;  // for the host compiler; none: the file as it is
  std::optional<task_part> tasks;
  /// Translates the file again, without the tasks in which compilers have found errors. Returns
  /// whether that has changed anything.
  std::function<bool(const std::vector<compiler_error>&)> translate_again;
};

/// Compiles files, and links them if `chosen` asks for an executable. Returns whether it worked; if
/// not, there is no output file. Leaves out tasks that do not compile as C++; the program says so
/// when it is to run through channels.
[[nodiscard]] bool build(const options& chosen, const installation& place,
                         std::vector<translated_file>& files);

}  // namespace cilk2chan
