#pragma once

#include "diagnostics/refusals.hpp"  // refusal
#include "frontend/parsed_file.hpp"

namespace cilk2chan::host_code {

/// Reports an error and its note at a place in the source.
void refuse(const parsed_file& source, clang::SourceLocation where, const refusal& why,
            llvm::StringRef name = {});
void refuse(const parsed_file& source, unsigned offset, const refusal& why,
            llvm::StringRef name = {});

/// Reports a remark: the program is accepted, but this spawn or loop (`what`) runs serially.
/// `reason` says why; it is one of `reasons`.
void warn_serial(const parsed_file& source, clang::SourceLocation where, llvm::StringRef what,
                 llvm::StringRef reason);

}  // namespace cilk2chan::host_code
