#pragma once

#include <clang/AST/Expr.h>
#include <llvm/ADT/SmallVector.h>

namespace cilk2chan {

/// Whether nvcc makes no code for an operation, without a word: it knows the parts of complex
/// numbers of C, and copies them.
[[nodiscard]] bool is_complex_operation(const clang::Expr* value);

/// The complex numbers of which a statement or an expression asks whether they are 0, which is an
/// operation, too.
[[nodiscard]] llvm::SmallVector<const clang::Expr*, 2> complex_conditions(const clang::Stmt* code);

/// The name that a function of <complex.h> has in channels/device_library/complex_functions.h, such
/// as `exp` for `cexp` and `cexpf`; empty for all others, and for those of `long double`.
[[nodiscard]] llvm::StringRef complex_function(const clang::FunctionDecl* function);

/// Whether it is one of these, or a number that C++ has no literal for.
[[nodiscard]] bool calculates_with_complex(const clang::Expr* value);

}  // namespace cilk2chan
