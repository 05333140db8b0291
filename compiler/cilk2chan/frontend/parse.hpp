#pragma once

#include "frontend/program.hpp"

#include <functional>
#include <string>
#include <vector>

namespace cilk2chan {

/// A source file, and what the parser has to know about it.
struct parse_request {
  std::string input;                 // the file's name
  bool is_c = false;                 // C, not C++
  std::string standard;              // of -std=, without the option's name; empty: the default
  std::vector<std::string> options;  // -I, -D and the like
  std::string resource_directory;    // Clang's own headers
  std::vector<std::string> headers;  // the options that find the project's headers
};

/// Parses the file, and calls `use` with the program while its syntax tree exists. Does not call it
/// if the parser finds errors. Returns whether neither the parser nor `use` reported an error.
[[nodiscard]] bool parse(const parse_request& request, const std::function<void(program&)>& use);

}  // namespace cilk2chan
