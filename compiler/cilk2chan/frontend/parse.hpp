#pragma once

#include "driver/options.hpp"
#include "frontend/program.hpp"

#include <functional>
#include <string>

namespace cilk2chan {

/// Parses the input as Clang does, and calls `use` with the program while its syntax tree is there.
/// Not called if there were errors. Returns whether there were none, before or in `use`.
[[nodiscard]] bool parse(const options& chosen, const std::string& include_directory,
                         const std::function<void(program&)>& use);

}  // namespace cilk2chan
