#pragma once

#include "frontend/source_file.hpp"

#include <optional>
#include <string>

namespace cilk2chan::openmp {

/// The text of a file with Cilk in the place of its OpenMP directives, on the same lines. Headers
/// with directives are read in. Prints what is refused, and returns nothing then; the text as it is
/// if there is no directive in it, or if Clang finds errors, which the next step reports.
[[nodiscard]] std::optional<std::string> as_cilk(const host_code::source_file& file);

/// The line of the first directive in a text, from 1; none: 0.
[[nodiscard]] unsigned line_of_directive(llvm::StringRef text);

}  // namespace cilk2chan::openmp
