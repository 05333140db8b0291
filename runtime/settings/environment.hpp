#pragma once

#include <string>       // string
#include <string_view>  // string_view

#include "channels/settings.hpp"

/// What is wrong with the environment before a program has done anything.
namespace channels::detail {

/// Throws `channels::error` for a variable of the environment whose name begins with `CHANNELS_`
/// and which is neither a setting nor one of `other_variables()`. The error has the nearest name.
void check_names_of_environment();

/// The name that is made from `name` with the fewest changes of one letter: of a setting, or of
/// another variable.
[[nodiscard]] std::string_view nearest_variable(std::string_view name);

/// Throws `channels::error` for the first setting that names a file which cannot be written. The
/// error has the setting and the system's reason. Leaves files as they are, and makes none.
void check_files(const settings& of);

/// "CHANNELS_TRACE=FILE: cannot write that file: REASON": `failure` is an `errno`.
[[nodiscard]] std::string cannot_write(std::string_view variable, std::string_view value,
                                       int failure);

/// Prints that to stderr, for a program that goes on.
void warn_of_file(std::string_view variable, std::string_view value, int failure);

}  // namespace channels::detail
