#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

enum class product { executable, source };

/// What the command line asks for.
struct options {
  std::string input;
  std::string output;
  product emit = product::executable;
  bool serial = false;
  bool explain = false;
  bool line_directives = true;
  bool is_c = false;
  std::string standard;               // of -std=, without the option's name
  std::vector<std::string> for_both;  // -I, -D and the like: to the parser and the host compiler
  std::vector<std::string> for_host;  // -O, -g, -l and the like: to the host compiler only
};

/// What parsing the command line came to: options, or the exit status at which to stop.
struct command_line {
  options chosen;
  std::optional<int> exit_status;
};

/// Reads the command line; prints help, version or what is wrong with it.
[[nodiscard]] command_line read_command_line(int argc, const char* const* argv);

}  // namespace cilk2chan
