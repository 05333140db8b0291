#pragma once

#include "driver/commands.hpp"  // arguments
#include "driver/options.hpp"

namespace cilk2chan {

/// What Clang's parser is told about a file, apart from its name.
[[nodiscard]] arguments parser_command(const options& chosen, const std::string& include_directory,
                                       bool is_c);

/// What the host compiler is told about a file: to optimise, the user's options for all compilers,
/// the standard. `translated`: the parser has given its warnings already.
[[nodiscard]] arguments compile_options(const options& chosen, bool is_c, bool translated);

/// The same for the C++ that tasks are, whatever language they come from.
[[nodiscard]] arguments task_options(const options& chosen, bool is_c);

/// What the user said about optimisation, debugging and the like that a linker wants to know, too.
[[nodiscard]] arguments link_options(const options& chosen);

/// The user's options for lists of dependencies, with those that are missing for `object`.
[[nodiscard]] arguments dependency_options(const options& chosen, const std::string& object);

/// The sanitizers that the library was built with.
[[nodiscard]] arguments sanitizers();

/// The headers that the user's options include into each file.
[[nodiscard]] arguments forced_headers(const options& chosen);

}  // namespace cilk2chan
