#pragma once

#include "installation.hpp"
#include "options.hpp"

#include <string>

namespace cilk2chan {

/// Compiles and links the program that `text` is, which tasks were made of. Returns whether it
/// worked; if not, there is no output file.
[[nodiscard]] bool compile(const options& chosen, const installation& place,
                           const std::string& text);

/// What Clang's parser is told about a file, apart from its name.
[[nodiscard]] std::vector<std::string> parser_command(const options& chosen,
                                                      const std::string& include_directory,
                                                      bool is_c);

/// One source, and what the host compiler gets of it: nothing for the file as it is.
struct translated_file {
  input_file source;
  std::optional<std::string> text;
};

/// Compiles files, and links them if that is wanted. Returns whether it worked; if not, there is no
/// output file.
[[nodiscard]] bool build(const options& chosen, const installation& place,
                         const std::vector<translated_file>& files);

}  // namespace cilk2chan
