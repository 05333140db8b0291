#pragma once

#include "frontend/program.hpp"

#include <functional>
#include <string>
#include <vector>

namespace cilk2chan {

/// A source file, and what the parser has to know of it.
struct parse_request {
  std::string input;                 // the file's name
  bool is_c = false;                 // C, not C++
  std::string standard;              // of -std=, without the option's name; empty: the default
  std::vector<std::string> options;  // -I, -D and the like
  std::string resource_directory;    // Clang's own headers
  std::string include_directory;     // the project's headers
};

/// Parses the file as Clang does, and calls `use` with the program while its syntax tree is there.
/// Does not call it if there are errors. Returns whether there were none, before or in `use`.
[[nodiscard]] bool parse(const parse_request& request, const std::function<void(program&)>& use);

}  // namespace cilk2chan
