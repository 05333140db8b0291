#pragma once

#include "installation.hpp"
#include "options.hpp"

#include <string>

namespace cilk2chan {

/// Compiles and links the translated program. Returns whether it worked; if not, there is no output
/// file.
[[nodiscard]] bool compile(const options& chosen, const installation& place,
                           const std::string& text);

/// Compiles the input as it is, with the Cilk keywords taken out.
[[nodiscard]] bool compile_serial(const options& chosen, const installation& place);

}  // namespace cilk2chan
