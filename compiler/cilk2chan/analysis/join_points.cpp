#include "analysis/join_points.hpp"

#include "diagnostics/refusals.hpp"
#include "frontend/keywords.hpp"

#include <clang/AST/StmtCXX.h>

namespace cilk2chan {
namespace {

struct state {
  bool reached = false;
  bool outstanding = false;
};

state join(state a, state b) {
  return {a.reached || b.reached, (a.reached && a.outstanding) || (b.reached && b.outstanding)};
}

class join_walk {
 public:
  join_walk(const program& source, const task_function& task) : source_(source), task_(task) {}

  join_points places;

  void run() {
    // In the body of a `cilk_for`, `continue` leads to the end of the iteration.
    state continued;
    if (task_.loop != nullptr) continued_ = &continued;
    const state end = join(walk(task_.body(), {true, false}), continued);
    places.at_end = end.reached && end.outstanding;
  }

 private:
  state walk(const clang::Stmt* node, state in) {
    const state end = walk_statement(node, in);
    if (node == nullptr || !task_.scopes.contains(node)) return end;
    if (end.reached && end.outstanding) places.syncs.insert(node);
    return {end.reached, false};
  }

  state walk_statement(const clang::Stmt* node, state in) {
    if (node == nullptr || !in.reached) return in;
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(node)) {
      for (const clang::Decl* one : declaration->decls()) in = after_child(task_.child_at(one), in);
      return in;
    }
    if (const child_call* child = task_.child_at(node)) return after_child(child, in);
    if (is_sync(node, source_.sources())) {
      if (in.outstanding) places.syncs.insert(node);
      return {true, false};
    }
    if (llvm::isa<clang::ReturnStmt>(node)) {
      if (in.outstanding) places.returns.insert(node);
      return {};
    }
    if (llvm::isa<clang::BreakStmt>(node)) return leave(broken_, in);
    if (llvm::isa<clang::ContinueStmt>(node)) return leave(continued_, in);
    if (llvm::isa<clang::Expr>(node)) return in;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(node)) {
      for (const clang::Stmt* one : list->body()) in = walk(one, in);
      return in;
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(node)) {
      return join(walk(branch->getThen(), in), walk(branch->getElse(), in));
    }
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(node)) {
      return walk_loop(loop->getBody(), in, loop->getCond() != nullptr, false);
    }
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(node)) {
      return walk_loop(loop->getBody(), in, true, false);
    }
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(node)) {
      return walk_loop(loop->getBody(), in, true, true);
    }
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(node)) {
      return walk_loop(loop->getBody(), in, true, false);
    }
    return walk_cases(node, in);
  }

  static state after_child(const child_call* child, state in) {
    if (child == nullptr) return in;
    if (child->returned) return {};
    return {true, child->spawned};
  }

  static state leave(state* outer, state in) {
    if (outer != nullptr) *outer = join(*outer, in);
    return {};
  }

  // A turn can only add outstanding children, so the state after two turns is final.
  state walk_loop(const clang::Stmt* body, state in, bool may_end, bool body_first) {
    state broken;
    state end;
    for (int turn = 0; turn < 2; ++turn) {
      state continued;
      state* const outer_broken = std::exchange(broken_, &broken);
      state* const outer_continued = std::exchange(continued_, &continued);
      end = join(walk(body, in), continued);
      broken_ = outer_broken;
      continued_ = outer_continued;
      if (turn == 0 && body_first) in = join(in, end);
      if (!body_first) in = join(in, end);
    }
    if (!may_end) return broken;
    return join(broken, body_first ? end : in);
  }

  // A switch, or another statement that holds statements: each of these may run or not.
  state walk_cases(const clang::Stmt* node, state in) {
    state broken;
    state* const outer = std::exchange(broken_, &broken);
    state end = in;
    for (const clang::Stmt* one : node->children()) {
      if (one != nullptr) end = join(end, walk(one, join(in, end)));
    }
    broken_ = outer;
    if (!llvm::isa<clang::SwitchStmt>(node)) leave(broken_, broken);
    return join(end, broken);
  }

  const program& source_;
  const task_function& task_;
  state* broken_ = nullptr;
  state* continued_ = nullptr;
};

bool mark(const program& source, task_function& task, const join_points& places,
          const clang::Stmt* node) {
  if (node == nullptr || llvm::isa<clang::Expr>(node)) return task.suspending.contains(node);
  bool found = places.returns.contains(node) || task.suspending.contains(node);
  const bool was_suspending = task.suspending.contains(node);
  for (const clang::Stmt* one : node->children()) found = mark(source, task, places, one) || found;
  if (!found) return false;
  task.suspending.insert(node);
  const bool unknown = llvm::isa<clang::SwitchStmt, clang::CXXForRangeStmt>(node);
  if (unknown && !was_suspending) {
    refuse(source.context->getDiagnostics(), node->getBeginLoc(), refusals::control_around,
           "a 'switch' or a 'for' over a range, with a return,");
  }
  return true;
}

}  // namespace

join_points find_join_points(const program& source, task_function& task) {
  join_walk walk(source, task);
  walk.run();
  mark(source, task, walk.places, task.body());
  return std::move(walk.places);
}

}  // namespace cilk2chan
