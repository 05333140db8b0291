#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/DenseMap.h>

#include <vector>

namespace cilk2chan {

/// What one function contains, before anything is accepted or refused.
struct function_facts {
  const clang::FunctionDecl* definition = nullptr;
  std::vector<const clang::UnaryOperator*> spawns;
  std::vector<const clang::ForStmt*> loops;          // that are parallel
  std::vector<const clang::CallExpr*> calls;         // all whose callee is known by name
  std::vector<const clang::DeclRefExpr*> addresses;  // functions named, but not called
  bool spawns_in_lambda = false;
  bool is_entered = false;  // a plain form that is a task, whatever it does (`entered_mark`)

  /// The first spawn or parallel loop; invalid if there is none.
  [[nodiscard]] clang::SourceLocation parallel() const {
    if (!spawns.empty()) return spawns.front()->getOperatorLoc();
    if (!loops.empty()) return loops.front()->getForLoc();
    return is_entered ? definition->getLocation() : clang::SourceLocation();
  }
};

/// Every function that the program's own files define, in the order of the source.
struct survey {
  std::vector<const clang::FunctionDecl*> order;  // canonical
  llvm::DenseMap<const clang::FunctionDecl*, function_facts> facts;
  std::vector<const clang::UnaryOperator*> spawns_outside;  // in no function
};

/// Visits the whole file, headers of the system left out.
[[nodiscard]] survey take_survey(clang::ASTContext& context);

}  // namespace cilk2chan
