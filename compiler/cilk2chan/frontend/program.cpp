#include "frontend/program.hpp"

#include "frontend/loop_task.hpp"

#include <clang/AST/Stmt.h>

#include <algorithm>

namespace cilk2chan {

const clang::Stmt* child_call::node() const {
  if (loop != nullptr) return loop->loop->node;
  return call;
}

const clang::Stmt* task_function::body() const {
  return loop != nullptr ? loop->node->getBody() : definition->getBody();
}

bool task_function::owns(const clang::VarDecl* variable) const {
  return loop == nullptr || loop->variables.contains(variable);
}

user_place program::place_of(clang::SourceLocation location) const {
  const clang::SourceLocation place = sources().getExpansionLoc(location);
  const clang::PresumedLoc known = sources().getPresumedLoc(place);
  return {known.getFilename(), known.getLine(), sources().getExpansionColumnNumber(place) - 1};
}

std::vector<statement_part> parts_of(const task_function& task, const clang::Stmt* body) {
  std::vector<statement_part> parts;
  const auto add = [&](const clang::Stmt* statement) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
    const bool holds_child =
        declaration != nullptr &&
        std::ranges::any_of(declaration->decls(), [&](const clang::Decl* one) {
          return task.child_at(one) != nullptr || task.allocation_at(one) != nullptr;
        });
    if (!holds_child) {
      parts.push_back(
          {statement, nullptr, task.child_at(statement), task.allocation_at(statement)});
      return;
    }
    for (const clang::Decl* one : declaration->decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) {
        parts.push_back(
            {statement, variable, task.child_at(variable), task.allocation_at(variable)});
      }
    }
  };
  const auto add_end = [&](const clang::Stmt* statement) {
    if (task.scopes.contains(statement))
      parts.push_back({statement, nullptr, nullptr, nullptr, true});
  };
  if (body == nullptr) return parts;
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (list == nullptr) {
    add(body);
    add_end(body);
    return parts;
  }
  for (const clang::Stmt* statement : list->body()) {
    add(statement);
    // A block adds the end of its scope itself.
    if (!llvm::isa<clang::CompoundStmt>(statement)) add_end(statement);
  }
  add_end(body);
  return parts;
}

bool suspends(const task_function& task, const statement_part& piece) {
  return piece.child != nullptr || piece.ends_scope || piece.memory != nullptr ||
         (piece.variable == nullptr && task.suspending.contains(piece.statement));
}

}  // namespace cilk2chan
