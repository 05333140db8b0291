#include "frontend/keywords.hpp"
#include "tasks/lower.hpp"

#include <clang/AST/Stmt.h>

#include <algorithm>

namespace cilk2chan {
namespace {

unsigned children_in(const task_function& task, const statement_part& piece) {
  if (piece.child != nullptr) return 1;
  if (piece.ends_scope) return 0;
  if (piece.variable != nullptr || piece.statement == nullptr) return 0;
  if (!task.suspending.contains(piece.statement)) return 0;
  unsigned sum = 0;
  for (const clang::Stmt* inner : piece.statement->children()) {
    if (inner == nullptr || llvm::isa<clang::Expr>(inner)) {
      if (inner != nullptr && task.child_at(inner) != nullptr) ++sum;
      continue;
    }
    for (const statement_part& one : parts_of(task, inner)) sum += children_in(task, one);
  }
  return sum;
}

bool loops_over_children(const task_function& task, const clang::Stmt* node) {
  if (node == nullptr || !task.suspending.contains(node)) return false;
  const bool loop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(node);
  if (loop && children_in(task, {node, nullptr, nullptr}) > 0) return true;
  return std::ranges::any_of(
      node->children(), [&](const clang::Stmt* inner) { return loops_over_children(task, inner); });
}

void add(room& sum, const room& more) {
  for (const auto& [task, count] : more) sum[task] += count;
}

}  // namespace

std::optional<room> bounded_spawns(const program& source, const task_function& task,
                                   const join_points& waits, const statement_part& piece) {
  if (piece.child != nullptr) {
    if (!piece.child->spawned || piece.child->returned) return std::nullopt;
    return room{{source.task_of(*piece.child)->name, 1}};
  }
  if (piece.memory != nullptr) return std::nullopt;
  if (piece.ends_scope)
    return waits.syncs.contains(piece.statement) ? std::nullopt : std::optional(room());
  if (!suspends(task, piece)) return room();
  const clang::Stmt* node = piece.statement;
  if (waits.returns.contains(node) || is_sync(node, source.sources())) return std::nullopt;
  std::vector<const clang::Stmt*> parts;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(node)) {
    parts = {branch->getThen(), branch->getElse()};
  } else if (llvm::isa<clang::CompoundStmt>(node)) {
    parts = {node};
  } else {
    return std::nullopt;
  }
  room sum;
  for (const clang::Stmt* part : parts) {
    for (const statement_part& one : parts_of(task, part)) {
      const auto inner = bounded_spawns(source, task, waits, one);
      if (!inner) return std::nullopt;
      add(sum, *inner);
    }
  }
  return sum;
}

std::optional<unsigned> most_spawns(const task_function& task) {
  const clang::Stmt* body = task.body();
  if (loops_over_children(task, body)) return std::nullopt;
  unsigned most = 0;
  unsigned running = 0;
  for (const statement_part& piece : parts_of(task, body)) {
    running += children_in(task, piece);
    most = std::max(most, running);
    const bool plain = piece.child != nullptr && !piece.child->spawned;
    const bool sync =
        piece.ends_scope || (suspends(task, piece) && llvm::isa<clang::ParenExpr>(piece.statement));
    if (plain || sync) running = 0;
  }
  return most;
}

}  // namespace cilk2chan
