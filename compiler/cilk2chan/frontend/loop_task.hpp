#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/OperationKinds.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/DenseSet.h>

#include <string>

namespace cilk2chan {

struct task_function;

/// How a `cilk_for` counts.
struct loop_form {
  const clang::VarDecl* variable = nullptr;
  bool declared = false;                                // by the loop itself
  clang::BinaryOperatorKind comparison = clang::BO_LT;  // variable against limit
  const clang::Expr* limit = nullptr;
  const clang::Expr* step = nullptr;  // none: 1
  bool subtracts = false;             // the step
  bool down = false;                  // towards smaller values
};

/// A `cilk_for` as a task of its own. The task halves the range of its iterations until it is no
/// longer than the grain, and then runs them in order. It has a pointer to the frame of the
/// function or loop around it, which holds the variables that the body uses.
struct loop_task {
  const clang::ForStmt* node = nullptr;
  loop_form form;
  std::string grain;                     // as it is written; empty: the default
  const task_function* outer = nullptr;  // the function or loop around it
  llvm::DenseSet<const clang::VarDecl*>
      variables;  // that the loop declares: each iteration has its own
};

}  // namespace cilk2chan
