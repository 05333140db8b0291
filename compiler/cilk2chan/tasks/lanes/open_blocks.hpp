#pragma once

#include "frontend/program.hpp"

namespace cilk2chan {

/// `code` with loops over elements in the place of `memcpy`, `memmove` and `memset`, where elements
/// are numbers or pointers and the number of bytes is a multiple of their size. Returns the same
/// code if there is nothing of the kind.
[[nodiscard]] clang::Stmt* with_open_blocks(const program& source, clang::Stmt* code);

}  // namespace cilk2chan
