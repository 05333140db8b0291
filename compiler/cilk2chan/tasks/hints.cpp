#include "tasks/hints.hpp"

#include "analysis/effects.hpp"
#include "analysis/loop_forms.hpp"
#include "analysis/references.hpp"
#include "analysis/virtual_targets.hpp"
#include "frontend/tree_walker.hpp"

#include <algorithm>
#include <set>

namespace cilk2chan {
namespace {

// A function that is called deeper than this counts as long.
constexpr unsigned deepest_call = 2;
// The most expressions and statements of a short function; a comparison of two variables has six.
constexpr unsigned most_nodes = 120;

// Loading a larger frame into registers and storing it costs more than to use it in memory.
constexpr std::int64_t most_own_bytes = 256;

class length_finder : public tree_walker {
 public:
  explicit length_finder(unsigned depth) : depth_(depth) {}

  bool is_long = false;
  bool returns = false;

  bool VisitStmt(clang::Stmt* node) override {
    if (++nodes_ > most_nodes) return stop();
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                  clang::GotoStmt, clang::IndirectGotoStmt, clang::AsmStmt, clang::CXXNewExpr,
                  clang::CXXDeleteExpr, clang::AtomicExpr>(node))
      return stop();
    returns = returns || llvm::isa<clang::ReturnStmt>(node);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return is_short(callee) || stop();
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    const clang::CXXConstructorDecl* callee = made->getConstructor();
    return callee->isTrivial() || is_short(callee) || stop();
  }

 private:
  bool is_short(const clang::FunctionDecl* callee) const {
    if (callee == nullptr || depth_ == deepest_call) return false;
    const clang::FunctionDecl* definition = callee->getDefinition();
    if (definition == nullptr || !definition->hasBody()) return false;
    length_finder inner(depth_ + 1);
    inner.TraverseStmt(definition->getBody());
    return !inner.is_long;
  }
  bool stop() {
    is_long = true;
    return false;
  }

  unsigned depth_;
  unsigned nodes_ = 0;
};

// Whether code may take very different times: it loops until something holds, calls itself, or
// calls what does or is not known here.
class uneven_finder : public tree_walker {
 public:
  bool found = false;

  bool VisitStmt(clang::Stmt* node) override {
    const auto* once = llvm::dyn_cast<clang::DoStmt>(node);
    found = found || llvm::isa<clang::WhileStmt, clang::GotoStmt>(node) ||
            (once != nullptr && !runs_once(once));
    return !found;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (call->getDirectCallee() == nullptr || virtual_callee(call) != nullptr) found = true;
    return look_into(call->getDirectCallee());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return look_into(made->getConstructor());
  }

 private:
  bool look_into(const clang::FunctionDecl* callee) {
    const clang::FunctionDecl* definition =
        found || callee == nullptr ? nullptr : callee->getDefinition();
    if (definition == nullptr || !definition->hasBody()) return !found;
    if (!callers_.insert(definition)) {
      found = true;
      return false;
    }
    TraverseStmt(definition->getBody());
    callers_.remove(definition);
    return !found;
  }

  llvm::SetVector<const clang::FunctionDecl*> callers_;
};

// Whether code loops for a number of times that is not written there, or calls itself, and writes
// to memory meanwhile, in whatever it calls. Calls of tasks do not count: these are children.
class serial_finder : public tree_walker {
 public:
  explicit serial_finder(const program& source) : source_(source) {}

  [[nodiscard]] bool found() const { return in_loop_ || (recursion_ && stores_); }

  bool TraverseForStmt(clang::ForStmt* loop) override {
    return inside(!has_fixed_limit(*source_.context, loop),
                  [&] { return tree_walker::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(clang::WhileStmt* loop) override {
    return inside(true, [&] { return tree_walker::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(clang::DoStmt* loop) override {
    return inside(!runs_once(loop), [&] { return tree_walker::TraverseDoStmt(loop); });
  }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    return inside(true, [&] { return tree_walker::TraverseCXXForRangeStmt(loop); });
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    return !node->isAssignmentOp() || note_store(node->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    return !node->isIncrementDecrementOp() || note_store(node->getSubExpr());
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* assigned = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    if (assigned != nullptr && assigned->isAssignmentOp() && !note_store(assigned->getArg(0)))
      return false;
    return look_into(call->getDirectCallee());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return look_into(made->getConstructor());
  }

 private:
  bool inside(bool is_loop, llvm::function_ref<bool()> walk) {
    loops_ += is_loop ? 1 : 0;
    const bool go_on = walk();
    loops_ -= is_loop ? 1 : 0;
    return go_on;
  }

  // False if that is enough.
  bool note_store(const clang::Expr* place) {
    if (!is_memory(place)) return true;
    stores_ = true;
    in_loop_ = in_loop_ || loops_ > 0;
    return !found();
  }
  static bool is_memory(const clang::Expr* place) {
    place = place->IgnoreParenImpCasts();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      if (member->isArrow()) return true;
      place = member->getBase()->IgnoreParenImpCasts();
    }
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
    return name == nullptr || name->getDecl()->getType()->isReferenceType();
  }

  bool look_into(const clang::FunctionDecl* callee) {
    const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
    if (definition == nullptr || !definition->hasBody() || source_.task_of(callee) != nullptr)
      return true;
    if (callers_.contains(definition)) {
      recursion_ = true;
      return !found();
    }
    // Once outside of loops, and once in one.
    if (!seen_.insert({definition, loops_ > 0}).second) return true;
    callers_.insert(definition);
    const bool go_on = TraverseStmt(definition->getBody());
    callers_.remove(definition);
    return go_on;
  }

  const program& source_;
  llvm::SetVector<const clang::FunctionDecl*> callers_;
  std::set<std::pair<const clang::FunctionDecl*, bool>> seen_;
  unsigned loops_ = 0;
  bool stores_ = false;
  bool in_loop_ = false;
  bool recursion_ = false;
};

// Whether code reads anything but arguments, variables of its own and constants.
class memory_reader : public tree_walker {
 public:
  bool reads = false;

  bool VisitUnaryOperator(clang::UnaryOperator* one) override {
    return one->getOpcode() != clang::UO_Deref || found();
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return found(); }
  bool VisitMemberExpr(clang::MemberExpr* member) override { return !member->isArrow() || found(); }
  bool VisitCXXThisExpr(clang::CXXThisExpr*) override { return found(); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr) return true;
    const clang::QualType type = variable->getType();
    const bool fixed = variable->hasLocalStorage() || type.isConstQualified();
    return (fixed && !type->isReferenceType()) || found();
  }
  // Only short functions are looked into (length_finder), so this ends.
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
    if (definition == nullptr) return found();
    TraverseStmt(definition->getBody());
    return !reads;
  }

 private:
  bool found() {
    reads = true;
    return false;
  }
};

// Whether control returns from a branch of it.
bool is_base_case(const clang::Stmt* code) {
  struct visitor : tree_walker {
    bool found = false;
    bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
    bool VisitReturnStmt(clang::ReturnStmt*) override { return !(found = true); }
  };
  if (!llvm::isa<clang::IfStmt>(code)) return false;
  visitor look;
  look.look_through(code);
  return look.found;
}

bool is_word(const clang::ASTContext& context, clang::QualType type) {
  constexpr std::int64_t word = 4;  // bytes
  return type->isVoidType() || context.getTypeAlignInChars(type).getQuantity() >= word;
}

}  // namespace

bool shares_frame(const program& source, const finished_task& task) {
  if (task.task->leaf) return false;
  // The iterations of a loop use the variables in the frame around it.
  if (task.task->loop != nullptr) return true;
  for (const auto& [node, child] : task.task->children) {
    if (child->loop != nullptr) return true;
  }
  std::int64_t bytes = 0;
  for (const frame_member& member : task.frame.members) {
    if (member.name == task.frame.first_unkept) break;
    bytes += source.context->getTypeSizeInChars(member.type).getQuantity();
  }
  if (bytes > most_own_bytes) return true;
  for (const frame_member& member : task.frame.members) {
    if (member.variable != nullptr && task.usage.escaped.contains(member.variable)) return true;
  }
  // A lane that has the frame to itself gets results in whole words.
  return std::ranges::any_of(task.task->children, [&](const auto& entry) {
    return entry.second->has_result() &&
           !is_word(*source.context, entry.second->callee->getReturnType());
  });
}

bool keeps_results_in_frame(const finished_task& task) {
  return std::ranges::all_of(task.task->children, [](const auto& entry) {
    const clang::Expr* place = entry.second->place;
    if (place == nullptr) return true;
    const clang::VarDecl* variable = root_variable(place);
    return variable != nullptr && variable->hasLocalStorage() &&
           !variable->getType()->isReferenceType();
  });
}

bool leaf_test_reads_memory(const finished_task& task) {
  memory_reader found;
  if (task.task->leaf) return false;  // it is always over
  for (const step& one : task.lowered.enter) {
    if (one.kind == step_kind::open || found.reads) break;
    if (one.piece.statement != nullptr) found.look_through(one.piece.statement);
  }
  return found.reads;
}

bool is_short(const lowered_function& lowered, const std::vector<summed_array>& arrays) {
  length_finder found(0);
  const auto look = [&](const auto& again, const std::vector<step>& steps) -> void {
    for (const step& one : steps) {
      const bool is_plain = one.kind == step_kind::text || one.kind == step_kind::declare;
      if (is_plain && !adds_up(arrays, one.piece.statement))
        found.look_through(one.piece.statement);
      again(again, one.body);
      again(again, one.otherwise);
    }
  };
  look(look, lowered.enter);
  for (const segment& part : lowered.resume) look(look, part.steps);
  return !found.is_long;
}

bool has_uneven_leaves(const finished_task& task) {
  // Iterations that spawn wait for their children, in turns as short as others.
  if (task.task->loop == nullptr || task.lowered.enter.empty()) return false;
  uneven_finder look;
  look.look_through(task.task->body());
  return look.found;
}

bool has_serial_parts(const program& source, const finished_task& task) {
  serial_finder look(source);
  if (task.task->leaf) {
    const clang::FunctionDecl* definition = task.task->definition->getDefinition();
    if (definition == nullptr || !definition->hasBody() || group_form(definition) != nullptr)
      return false;
    look.look_through(definition->getBody());
    return look.found();
  }
  const auto spawns = [](const auto& again, const std::vector<step>& steps) -> bool {
    return std::ranges::any_of(steps, [&](const step& one) {
      return one.kind == step_kind::spawn || one.kind == step_kind::iterate ||
             again(again, one.body) || again(again, one.otherwise);
    });
  };
  const auto look_at = [&](const auto& again, const std::vector<step>& steps) -> void {
    for (const step& one : steps) {
      const clang::Stmt* code = one.piece.statement;
      // Others only name the statement in front of which they stand.
      const bool is_code = one.kind == step_kind::text || one.kind == step_kind::declare ||
                           one.kind == step_kind::wait_return;
      if (is_code && code != nullptr && !is_base_case(code)) look.look_through(code);
      // A branch that spawns nothing, beside one that does, is a base case.
      const bool first = spawns(spawns, one.body);
      const bool second = spawns(spawns, one.otherwise);
      if (first || !second) again(again, one.body);
      if (second || !first) again(again, one.otherwise);
      const auto* choice = llvm::dyn_cast_or_null<clang::IfStmt>(code);
      if (one.kind == step_kind::branch && choice != nullptr) look.look_through(choice->getCond());
      // What follows a branch that spawns and returns is one, too.
      if (first && choice != nullptr && !falls_through(choice->getThen())) break;
    }
  };
  look_at(look_at, task.lowered.enter);
  for (const segment& part : task.lowered.resume) look_at(look_at, part.steps);
  return look.found();
}

bool has_quick_leaves(const finished_task& task) {
  if (task.task->loop != nullptr) return false;
  length_finder found(0);
  if (task.task->leaf) {
    const clang::FunctionDecl* definition = task.task->definition->getDefinition();
    if (definition == nullptr || !definition->hasBody()) return false;
    if (group_form(definition) != nullptr) return false;  // a wavefront runs it
    found.TraverseStmt(definition->getBody());
    return !found.is_long;
  }
  // Up to the place that opens the frame: control that comes there spawns.
  for (const step& one : task.lowered.enter) {
    if (one.kind == step_kind::open) break;
    if (one.piece.statement != nullptr) found.look_through(one.piece.statement);
    if (found.is_long) return false;
  }
  return found.returns;
}

}  // namespace cilk2chan
