#pragma once

#include "frontend/source_file.hpp"

#include <clang/Basic/Diagnostic.h>

namespace cilk2chan::host_code {

/// Reports that a Cilk keyword is used without its header, as `expand` wants it.
void report_no_header(clang::DiagnosticsEngine& diagnostics, clang::SourceLocation where,
                      llvm::StringRef keyword);

/// Prints the one error that a program uses Cilk without its header, if it does, and does not
/// compile. Returns whether it did. For ways to compile that do not expand.
[[nodiscard]] bool lacks_header(const source_file& file);

}  // namespace cilk2chan::host_code
