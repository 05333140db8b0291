#pragma once

#include "analysis/references.hpp"
#include "frontend/program.hpp"

#include <set>
#include <string>

namespace cilk2chan {

/// The body of a function, with calls in its loops replaced by what they run.
struct inlined_body {
  clang::Stmt* code = nullptr;
  function_list inlined;  // canonical
};

/// Replaces calls that are statements of their own and stand in loops, if the functions only
/// declare, compute, branch and loop, in names that the caller has, too. So a loop that calls
/// another function for each row is the nest that it would be without the function. Arguments
/// become variables with names of their own. Nothing is replaced: `code` is the function's body.
[[nodiscard]] inlined_body with_inlined_calls(const program& source,
                                              const clang::FunctionDecl* function,
                                              reference_finder& finder);

/// What the program calls a variable that stands for one of such a function, or any other.
[[nodiscard]] std::string name_in_source(const clang::VarDecl* variable);

}  // namespace cilk2chan
