#pragma once

#include "tasks/lanes/together.hpp"

namespace cilk2chan {

/// The one loop in `code` that lanes share, or a call of a function for which `can_divide` holds,
/// if the code does nothing else but compute: then several wavefronts may run it, each with a part
/// of the loop. Null: there is no such thing.
[[nodiscard]] const clang::Stmt* find_division(
    const together& how, const clang::Stmt* code,
    const std::function<bool(const clang::FunctionDecl*)>& can_divide);

}  // namespace cilk2chan
