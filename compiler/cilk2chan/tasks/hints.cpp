#include "tasks/hints.hpp"

#include "analysis/effects.hpp"
#include "analysis/references.hpp"
#include "analysis/virtual_targets.hpp"
#include "frontend/tree_walker.hpp"

#include <algorithm>

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
