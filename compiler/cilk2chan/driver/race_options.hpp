#pragma once

#include "driver/commands.hpp"  // arguments

namespace cilk2chan {

/// Whether what --races needs lies beside the library `libchannels.a`; says what is missing.
[[nodiscard]] bool has_race_parts(const std::string& library);

/// How a file of a program that looks for its races is compiled, besides compile_options: with the
/// plugin of compiler/race_pass, and in C++ with functions of std::string of its own.
[[nodiscard]] arguments race_compile_options(const std::string& library, bool is_c);

/// What such a program is linked with in the place of the library.
[[nodiscard]] arguments race_libraries(const std::string& library);

}  // namespace cilk2chan
