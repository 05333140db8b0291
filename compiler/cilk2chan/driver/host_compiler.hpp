#pragma once

#include "driver/installation.hpp"
#include "driver/options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// Compiles and links the program that `text` is, which tasks were made of. Returns whether it
/// worked; if not, there is no output file.
[[nodiscard]] bool compile(const options& chosen, const installation& place,
                           const std::string& text);

/// The tasks of a source, beside its host code.
struct task_part {
  std::string text;     // C++
  std::string devices;  // for the compilers of devices; empty if none is wanted
  /// Functions of the host's code whose names are those of entries in the tasks'.
  std::vector<std::string> entered;
};

/// One source, and what the host compiler gets of it: nothing for the file as it is.
struct translated_file {
  input_file source;
  options chosen;  // for this file
  std::optional<std::string> text;
  std::optional<task_part> tasks;
};

/// Compiles files, and links them if that is wanted. Returns whether it worked; if not, there is no
/// output file. Tasks that do not compile as C++ are left out, and the program says so when it is
/// to run through channels.
[[nodiscard]] bool build(const options& chosen, const installation& place,
                         const std::vector<translated_file>& files);

}  // namespace cilk2chan
