#include "normal_form/shared_loops.hpp"

#include "analysis/block_operations.hpp"
#include "analysis/block_variables.hpp"
#include "analysis/breakable_walker.hpp"
#include "analysis/loop_forms.hpp"
#include "frontend/keywords.hpp"
#include "normal_form/call_lengths.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <utility>

namespace cilk2chan {
namespace {

bool is_in_system_header(const parsed_file& source, const clang::Decl* declaration) {
  return source.sources.isInSystemHeader(
      source.sources.getExpansionLoc(declaration->getLocation()));
}

// What stands in a loop, and in the way.
class shared_loop_reader : public breakable_walker {
 public:
  shared_loop_reader(const parsed_file& source, spawning_test spawns)
      : source_(source), spawns_(spawns) {}

  bool fine = true;
  bool nested = false;
  bool stores = false;  // one that only adds up what children return is short

  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return fine = false; }
  bool VisitStmt(clang::Stmt* code) override {
    if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::LabelStmt, clang::AsmStmt,
                  clang::CXXTryStmt, clang::CXXThrowExpr, clang::StmtExpr, clang::CXXNewExpr,
                  clang::CXXDeleteExpr, clang::CXXForRangeStmt>(code))
      fine = false;
    if (llvm::isa<clang::BreakStmt>(code) && breakable_ == 0) fine = false;
    return fine;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    stores = stores || (node->isIncrementDecrementOp() && is_memory(node->getSubExpr()));
    return fine = fine && !is_spawn(node, source_.sources);
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    stores = stores || (node->isAssignmentOp() && is_memory(node->getLHS()));
    return fine;
  }
  bool VisitForStmt(clang::ForStmt* node) override {
    return fine = fine && !is_parallel_for(node->getForLoc(), source_.sources) &&
                  !is_spawned_block(node->getForLoc(), source_.sources);
  }
  // What computes values, and leaves of the program.
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const bool known = callee != nullptr && (method == nullptr || !method->isVirtual()) &&
                       (callee->isDefined() || callee->getBuiltinID() != 0 ||
                        is_in_system_header(source_, callee));
    return fine = fine && known && !spawns_(callee->getCanonicalDecl());
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    const clang::QualType type = variable->getType();
    return fine = fine && !variable->isStaticLocal() && !type->isVariablyModifiedType() &&
                  type.isDestructedType() == clang::QualType::DK_none;
  }

 private:
  bool inside(const clang::Stmt* code, llvm::function_ref<bool()> walk) override {
    nested = nested || !llvm::isa<clang::SwitchStmt>(code);
    ++breakable_;
    const bool go_on = walk();
    --breakable_;
    return go_on;
  }

  static bool is_memory(const clang::Expr* place) {
    place = place->IgnoreParens();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      if (member->isArrow()) return true;
      place = member->getBase()->IgnoreParens();
    }
    return !llvm::isa<clang::DeclRefExpr>(place);
  }

  const parsed_file& source_;
  spawning_test spawns_;
  int breakable_ = 0;
};

// The variable that the head of a loop sets, if it is declared before the loop.
const clang::VarDecl* set_by_head(const clang::ForStmt* loop) {
  const auto* value = llvm::dyn_cast_or_null<clang::Expr>(loop->getInit());
  if (value == nullptr) return nullptr;
  const auto* set = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts());
  if (set == nullptr || set->getOpcode() != clang::BO_Assign) return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

// Whether each use of a variable is in a loop whose head sets it, so that no value goes from one
// loop to another.
class counter_test : public tree_walker {
 public:
  explicit counter_test(const clang::VarDecl* variable) : variable_(variable) {}
  bool only_counts = true;

  bool TraverseForStmt(clang::ForStmt* loop) override {
    const bool sets = set_by_head(loop) == variable_;
    if (sets) ++set_;
    const bool go_on = tree_walker::TraverseForStmt(loop);
    if (sets) --set_;
    return go_on;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (name->getDecl() == variable_ && set_ == 0) only_counts = false;
    return only_counts;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(node->getSubExpr()->IgnoreParens());
    if (node->getOpcode() == clang::UO_AddrOf && name != nullptr && name->getDecl() == variable_)
      only_counts = false;
    return only_counts;
  }

 private:
  const clang::VarDecl* variable_;
  int set_ = 0;
};

const clang::Stmt* body_of(const clang::Stmt* loop) {
  if (const auto* one = llvm::dyn_cast<clang::ForStmt>(loop)) return one->getBody();
  if (const auto* one = llvm::dyn_cast<clang::WhileStmt>(loop)) return one->getBody();
  if (const auto* one = llvm::dyn_cast<clang::DoStmt>(loop)) return one->getBody();
  return llvm::cast<clang::CXXForRangeStmt>(loop)->getBody();
}

// Whether a statement without a loop may take long, as its arguments say.
bool is_long_statement(const parsed_file& source, const clang::Stmt* code) {
  return block_operation_of(source.context, code) || long_call(source, code) != nullptr;
}

bool is_counter(const clang::FunctionDecl* definition, const clang::VarDecl* variable) {
  if (!variable->hasLocalStorage() || !variable->getType()->isIntegerType()) return false;
  counter_test look(variable);
  look.look_through(definition->getBody());
  return look.only_counts;
}

}  // namespace

// Where a function spawns and syncs.
class spawn_finder {
 public:
  explicit spawn_finder(const parsed_file& source)
      : source_(source), scopes_(scope_statements(source.keywords, source.context)) {}

  [[nodiscard]] bool is_parallel(const clang::Stmt* code) const {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(code);
    return loop != nullptr && (is_parallel_for(loop->getForLoc(), source_.sources) ||
                               is_spawned_block(loop->getForLoc(), source_.sources));
  }
  // A loop in parallel waits for its iterations.
  [[nodiscard]] bool is_loop(const clang::Stmt* code) const {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(code);
    return loop != nullptr && is_parallel_for(loop->getForLoc(), source_.sources);
  }
  // A scope has one at its end.
  [[nodiscard]] bool is_sync_at(const clang::Stmt* code) const {
    return is_sync(code, source_.sources) ||
           (llvm::isa<clang::CompoundStmt>(code) &&
            scopes_.contains(source_.sources.getExpansionLoc(code->getBeginLoc())));
  }
  [[nodiscard]] bool spawns_in(const clang::Stmt* code) const {
    struct visitor : tree_walker {
      explicit visitor(const spawn_finder& of) : finder(of) {}
      const spawn_finder& finder;
      bool found = false;
      bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
      bool VisitUnaryOperator(clang::UnaryOperator* node) override {
        return !(found = found || is_spawn(node, finder.source_.sources));
      }
      bool VisitForStmt(clang::ForStmt* node) override {
        return !(found = found || finder.is_parallel(node));
      }
    };
    visitor look(*this);
    look.look_through(code);
    return look.found;
  }

 private:
  const parsed_file& source_;
  llvm::DenseSet<clang::SourceLocation> scopes_;
};

std::optional<shared_loop> find_shared_loop(const parsed_file& source,
                                            const clang::FunctionDecl* definition,
                                            const clang::ForStmt* loop, spawning_test spawns) {
  const auto form = find_form(source.context, loop);
  if (!form || !form->variable->getType()->isIntegerType() || loop->getInit() == nullptr)
    return std::nullopt;
  if (!form->declared && !is_counter(definition, form->variable)) return std::nullopt;
  const auto* head = llvm::dyn_cast<clang::DeclStmt>(loop->getInit());
  if (head != nullptr && !head->isSingleDecl()) return std::nullopt;
  const auto plain = [&](const clang::Expr* value) {
    return value == nullptr || !value->HasSideEffects(source.context);
  };
  if (!plain(form->limit) || !plain(form->step)) return std::nullopt;
  // A number of iterations that is written there is a small one.
  if (form->limit->isEvaluatable(source.context)) return std::nullopt;
  shared_loop_reader inside(source, spawns);
  inside.look_through(loop->getBody());
  if (!inside.fine || !inside.stores) return std::nullopt;
  shared_loop found;
  found.form = *form;
  found.nested = inside.nested;
  // Each use of what it changes has to be one of a number.
  const variable_uses_finder uses(loop);
  llvm::DenseSet<const clang::VarDecl*> seen;
  for (const auto& [name, how] : uses.names) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || variable->hasGlobalStorage() || uses.declared.contains(variable))
      continue;
    if (variable->getType().isVolatileQualified() || variable->isInitCapture() ||
        variable->getIdentifier() == nullptr)
      return std::nullopt;
    if (variable->getType()->isReferenceType()) continue;
    if (variable == form->variable || !uses.is_written(name)) continue;
    if (!seen.insert(variable).second) continue;
    const clang::QualType type = variable->getType();
    if (!type->isArithmeticType() && !type->isPointerType()) continue;  // by its place
    if (is_counter(definition, variable)) {
      found.counters.push_back(variable);
    } else {
      found.changed.push_back(variable);
    }
  }
  return found;
}

loops_of_tasks::loops_of_tasks(const parsed_file& source, const clang::FunctionDecl* definition)
    : source_(source) {
  spawn_finder finder(source);
  (void)backward(finder, definition->getBody(), false);
  (void)forward(finder, definition->getBody(), reached::plainly);
}

loops_of_tasks::reached loops_of_tasks::forward(const spawn_finder& finder, const clang::Stmt* code,
                                                reached now) {
  if (code == nullptr || now == reached::never) return now;
  if (finder.is_sync_at(code)) return reached::behind_sync;
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code);
      loop != nullptr && now == reached::behind_sync)
    behind_.insert(loop);
  if (now == reached::behind_sync && is_long_statement(source_, code)) behind_.insert(code);
  if (const auto* all = llvm::dyn_cast<clang::CompoundStmt>(code)) {
    for (const clang::Stmt* each : all->body()) now = forward(finder, each, now);
    return now;
  }
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(code))
    return std::max(forward(finder, choice->getThen(), now),
                    forward(finder, choice->getElse(), now));
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(code)) {
    if (finder.is_loop(code)) return reached::behind_sync;
    if (finder.is_parallel(code)) return now;
    const clang::Stmt* body = body_of(code);
    const reached once = std::max(now, forward(finder, body, now));
    return std::max(once, forward(finder, body, once));
  }
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(code)) {
    const reached around = std::exchange(at_switch_, now);
    const reached last = forward(finder, choice->getBody(), now);
    at_switch_ = around;
    return std::max(now, last);
  }
  if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(code))
    return forward(finder, label->getSubStmt(), std::max(now, at_switch_));
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(code))
    return forward(finder, attributed->getSubStmt(), now);
  return llvm::isa<clang::ReturnStmt>(code) ? reached::never : now;
}

bool loops_of_tasks::backward(const spawn_finder& finder, const clang::Stmt* code, bool later) {
  if (code == nullptr) return later;
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code); loop != nullptr && later)
    before_.insert(loop);
  if (later && is_long_statement(source_, code)) before_.insert(code);
  if (const auto* all = llvm::dyn_cast<clang::CompoundStmt>(code)) {
    for (auto each = all->body_rbegin(); each != all->body_rend(); ++each)
      later = backward(finder, *each, later);
    return later;
  }
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(code)) {
    const bool taken = backward(finder, choice->getThen(), later);
    return backward(finder, choice->getElse(), later) || taken;
  }
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(code)) {
    if (finder.is_parallel(code)) return true;
    return backward(finder, body_of(code), later || finder.spawns_in(code)) || later;
  }
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(code))
    return backward(finder, choice->getBody(), later || finder.spawns_in(code)) || later;
  if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(code))
    return backward(finder, label->getSubStmt(), later);
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(code))
    return backward(finder, attributed->getSubStmt(), later);
  if (llvm::isa<clang::ReturnStmt>(code)) return finder.spawns_in(code);
  return later || finder.spawns_in(code);
}

bool shares_loops(const parsed_file& source, const clang::FunctionDecl* definition,
                  spawning_test spawns) {
  const loops_of_tasks loops(source, definition);
  return std::ranges::any_of(loops.behind_syncs(), [&](const clang::Stmt* one) {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(one))
      return find_shared_loop(source, definition, loop, spawns).has_value();
    return true;
  });
}

}  // namespace cilk2chan
