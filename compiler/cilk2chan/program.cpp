#include "program.hpp"

#include <clang/AST/Stmt.h>

#include <algorithm>

namespace cilk2chan {

std::vector<unit> units_of(const task_function& task, const clang::Stmt* body) {
  std::vector<unit> units;
  const auto add = [&](const clang::Stmt* statement) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
    const bool holds_child = declaration != nullptr &&
                             std::ranges::any_of(declaration->decls(), [&](const clang::Decl* one) {
                               return task.child_at(one) != nullptr;
                             });
    if (!holds_child) {
      units.push_back({statement, nullptr, task.child_at(statement)});
      return;
    }
    for (const clang::Decl* one : declaration->decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) {
        units.push_back({statement, variable, task.child_at(variable)});
      }
    }
  };
  if (body == nullptr) return units;
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body)) {
    for (const clang::Stmt* statement : list->body()) add(statement);
  } else {
    add(body);
  }
  return units;
}

bool suspends(const task_function& task, const unit& piece) {
  return piece.child != nullptr ||
         (piece.variable == nullptr && task.suspending.contains(piece.statement));
}

}  // namespace cilk2chan
