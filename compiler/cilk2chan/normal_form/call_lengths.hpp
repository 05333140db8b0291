#pragma once

#include "frontend/loop_task.hpp"  // loop_form
#include "frontend/parsed_file.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <vector>

namespace cilk2chan {

/// A loop of a function whose number of iterations its caller can compute.
struct known_loop {
  loop_form form;
  const clang::Expr* first = nullptr;
};

/// A loop of a function, and those in it, one in the other, as far as the caller knows their
/// lengths.
struct loop_nest {
  std::vector<known_loop> loops;
  bool has_more = false;  // there is a loop in the last
};

/// The loops of a function by its arguments and the program's variables alone. None if it has none,
/// or is no plain function.
[[nodiscard]] std::vector<loop_nest> loops_by_arguments(const clang::ASTContext& context,
                                                        const clang::FunctionDecl* definition);

/// The call that a statement is, of a function with such loops that leads to no spawn, if it has no
/// effects besides and drops the result; or null.
[[nodiscard]] const clang::CallExpr* long_call(const parsed_file& source, const clang::Stmt* code);

}  // namespace cilk2chan
