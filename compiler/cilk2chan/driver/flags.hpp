#pragma once

#include "driver/commands.hpp"  // arguments
#include "driver/options.hpp"

namespace cilk2chan {

/// Functions of the library that are constexpr have code for devices. This makes some so that are
/// it from C++23 on: those of std::unique_ptr.
[[nodiscard]] arguments library_on_devices(const std::string& include_directory);

/// The command line of Clang's parser for a file, without the file's name.
[[nodiscard]] arguments parser_command(const options& chosen, const std::string& include_directory,
                                       bool is_c);

/// The host compiler's options for a file: optimisation, the user's options for all compilers, the
/// standard. `translated`: no warnings, as the parser has given them.
[[nodiscard]] arguments compile_options(const options& chosen, bool is_c, bool translated);

/// The same for the tasks of a file, which are C++ whatever the file's language.
[[nodiscard]] arguments task_options(const options& chosen, bool is_c);

/// Those of the user's options for all compilers that compilers of tasks get: not what the text of
/// the tasks says itself.
[[nodiscard]] arguments options_of_tasks(const options& chosen, bool is_c);

/// The macros that the user's options define, as lines: headers of ours come before them. Those
/// whose names begin with an underscore stay options.
[[nodiscard]] std::string macros_of_program(const options& chosen);

/// The user's options for all compilers, with what Cilk compilers predefine before them, for tasks
/// without host code (--tasks).
[[nodiscard]] arguments tasks_alone_options(const options& chosen);

/// The user's options for the host compiler that matter when it links, such as -O and -g.
[[nodiscard]] arguments link_options(const options& chosen);

/// The user's -M options, with -MF and -MT for `object` where these are missing. Empty if the user
/// wants no list of dependencies.
[[nodiscard]] arguments dependency_options(const options& chosen, const std::string& object);

/// The options for the sanitizers that the library was built with.
[[nodiscard]] arguments sanitizers();

/// The headers that the user's options include into each file.
[[nodiscard]] arguments forced_headers(const options& chosen);

}  // namespace cilk2chan
