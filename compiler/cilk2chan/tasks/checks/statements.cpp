#include "analysis/allocations.hpp"
#include "analysis/effects.hpp"
#include "analysis/usage.hpp"
#include "diagnostics/refusals.hpp"
#include "frontend/children.hpp"
#include "tasks/checks/check.hpp"
#include "tasks/parallel_loops.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>

namespace cilk2chan {
namespace {

class statement_checker {
 public:
  statement_checker(const program& source, task_function& task)
      : source_(source),
        task_(task),
        diagnostics_(source.context->getDiagnostics()),
        scopes_(scope_statements(source.keywords, *source.context)) {}

  void run(const function_facts& facts) {
    accept(task_.definition->getBody());
    for (const auto* node : facts.spawns) {
      if (!claimed_.contains(bare(node->getSubExpr()))) refuse_spawn(node);
    }
    for (const auto* call : facts.calls) {
      const task_function* callee = source_.task_of(call->getDirectCallee());
      if (callee != nullptr && !callee->leaf && !claimed_.contains(call) && !under_spawn(call)) {
        no(call->getExprLoc(), refusals::nested_call, name_of(callee->definition));
      }
    }
    for (const keyword_use& use : source_.keywords) {
      if (use.word == keyword::sync && inside(use.location) && !syncs_.contains(use.location)) {
        no(use.location, refusals::sync_in_expression);
      }
    }
  }

 private:
  // Registers the children in `statement`. Returns whether lowering has to look into it.
  bool accept(const clang::Stmt* statement) {
    if (statement == nullptr) return false;
    const bool found = look_into(statement);
    if (found) task_.suspending.insert(statement);
    const bool scope =
        scopes_.contains(source_.sources().getExpansionLoc(statement->getBeginLoc()));
    if (found && scope) accept_scope(statement);
    return found;
  }

  bool look_into(const clang::Stmt* statement) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      return accept_declaration(declaration);
    }
    if (auto child = child_in(source_, statement)) {
      add(statement, *child);
      return true;
    }
    if (auto memory = allocation_in(statement)) {
      add(statement, *memory);
      return true;
    }
    if (is_sync(statement, source_.sources())) {
      syncs_.insert(source_.sources().getExpansionLoc(statement->getBeginLoc()));
      return true;
    }
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
      bool found = false;
      for (const clang::Stmt* one : list->body()) found = accept(one) || found;
      for (const clang::Stmt* one : list->body()) {
        if (found) check_variables(one);
      }
      return found;
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) return accept_if(branch);
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
      const bool found = accept(loop->getBody());
      if (found && loop->getConditionVariable() != nullptr) {
        no(loop->getBeginLoc(), refusals::condition_variable);
      }
      return found;
    }
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(statement)) return accept(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) return accept_for(loop);
    return accept_other(statement);
  }

  bool accept_declaration(const clang::DeclStmt* declaration) {
    bool found = false;
    for (const clang::Decl* one : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr) continue;
      if (auto child = child_in(source_, variable)) {
        add(variable, *child);
        found = true;
      } else if (auto memory = allocation_in(variable)) {
        add(variable, *memory);
        found = true;
      }
    }
    return found;
  }

  bool accept_if(const clang::IfStmt* branch) {
    const bool first = accept(branch->getThen());
    const bool second = accept(branch->getElse());
    if (!first && !second) return false;
    if (branch->getConditionVariable() != nullptr || branch->getInit() != nullptr) {
      no(branch->getIfLoc(), refusals::condition_variable);
    }
    return true;
  }

  bool accept_for(const clang::ForStmt* loop) {
    if (is_parallel(loop, source_.sources())) return accept_parallel(loop);
    if (!accept(loop->getBody())) return false;
    if (loop->getConditionVariable() != nullptr) {
      no(loop->getForLoc(), refusals::condition_variable);
    }
    if (loop->getInit() != nullptr) check_variables(loop->getInit());
    return true;
  }

  // A scope becomes a sync at its end, so control may not leave it elsewhere.
  void accept_scope(const clang::Stmt* statement) {
    task_.scopes.insert(statement);
    if (can_leave(statement)) no(statement->getBeginLoc(), refusals::scope_left);
  }

  // The body of a `cilk_for` belongs to another task.
  bool accept_parallel(const clang::ForStmt* loop) {
    auto read = read_loop(source_, loop);
    if (read == nullptr) return true;
    read->outer = &task_;
    auto task = std::make_unique<task_function>();
    task->definition = task_.definition;
    task->loop = std::move(read);
    statement_checker body(source_, *task);
    if (body.accept(loop->getBody())) {
      check_type(source_, task->loop->form.variable->getType(), loop->getForLoc(),
                 name_of(task->loop->form.variable));
    }
    claimed_.insert(body.claimed_.begin(), body.claimed_.end());
    syncs_.insert(body.syncs_.begin(), body.syncs_.end());
    for (const clang::VarDecl* variable : captured_by(*task->loop)) {
      if (task_.owns(variable))
        check_type(source_, captured_type(variable), variable->getLocation(), name_of(variable));
    }
    auto child = std::make_unique<child_call>();
    child->loop = task.get();
    task_.children[loop] = std::move(child);
    task_.loops.push_back(std::move(task));
    return true;
  }

  clang::QualType captured_type(const clang::VarDecl* variable) const {
    const allocation* memory = task_.allocation_at(variable);
    return memory == nullptr ? variable->getType() : pointer_type(*source_.context, *memory);
  }

  // Refuses children inside control flow that lowering does not know.
  bool accept_other(const clang::Stmt* statement) {
    if (llvm::isa<clang::Expr>(statement)) return false;
    bool found = false;
    for (const clang::Stmt* one : statement->children()) found = (one && accept(one)) || found;
    if (!found) return false;
    // Labels and exceptions are refused wherever they stand.
    if (llvm::isa<clang::LabelStmt, clang::CXXTryStmt, clang::CXXCatchStmt>(statement)) return true;
    const char* what = llvm::isa<clang::SwitchStmt>(statement)        ? "'switch'"
                       : llvm::isa<clang::CXXForRangeStmt>(statement) ? "a 'for' over a range"
                       : llvm::isa<clang::SwitchCase>(statement)      ? nullptr
                       : llvm::isa<clang::AttributedStmt>(statement)  ? "an attribute"
                                                                      : "a statement of this kind";
    if (what != nullptr) no(statement->getBeginLoc(), refusals::control_around, what);
    return true;
  }

  // Variables in the same list as a child may have to live in the frame.
  void check_variables(const clang::Stmt* statement) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (declaration == nullptr) return;
    for (const clang::Decl* one : declaration->decls()) {
      if (llvm::isa<clang::DecompositionDecl>(one)) {
        no(one->getLocation(), refusals::structured_binding);
      } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) {
        const allocation* memory = task_.allocation_at(variable);
        // check_allocations refuses everything else of variable length.
        if (memory == nullptr && variable->getType()->isVariablyModifiedType()) continue;
        check_type(
            source_,
            memory == nullptr ? variable->getType() : pointer_type(*source_.context, *memory),
            variable->getLocation(), name_of(variable));
      }
    }
  }

  void add(const void* key, const allocation& memory) {
    task_.allocations[key] = std::make_unique<allocation>(memory);
    if (memory.place != nullptr && memory.place->HasSideEffects(*source_.context))
      no(memory.place->getExprLoc(), refusals::place_effects);
  }

  void add(const void* key, const child_call& child) {
    claimed_.insert(child.call);
    task_.children[key] = std::make_unique<child_call>(child);
    check_callee(child);
    if (child.callee != nullptr) check_place(child);
  }

  void check_callee(const child_call& child) {
    const clang::SourceLocation where = child.call->getExprLoc();
    if (child.callee == nullptr) return no(where, refusals::spawn_through_pointer);
    if (llvm::isa<clang::CXXMethodDecl>(child.callee) ||
        llvm::isa<clang::CXXOperatorCallExpr>(child.call)) {
      return no(where, refusals::spawn_member, name_of(child.callee));
    }
    if (child.callee->isVariadic()) {
      return no(where, refusals::spawn_variadic, name_of(child.callee));
    }
  }

  void check_place(const child_call& child) {
    const clang::ASTContext& context = *source_.context;
    const clang::QualType result = child.callee->getReturnType();
    if (child.place != nullptr) {
      const clang::SourceLocation where = child.place->getExprLoc();
      if (child.place->HasSideEffects(context)) return no(where, refusals::place_effects);
      if (child.place->refersToBitField()) return no(where, refusals::place_bits);
      if (!context.hasSameUnqualifiedType(child.place->getType(), result)) {
        no(where, refusals::place_type, name_of(child.callee));
      }
    }
    // A variable that only this call sets can hold the unconverted result, and is converted at each
    // use.
    if (child.variable != nullptr &&
        !context.hasSameUnqualifiedType(child.variable->getType(), result) &&
        is_changed(child.variable, task_.definition->getBody())) {
      no(child.variable->getLocation(), refusals::place_type, name_of(child.callee));
    }
  }

  void refuse_spawn(const clang::UnaryOperator* node) {
    if (!llvm::isa<clang::CallExpr>(bare(node->getSubExpr()))) {
      return no(node->getOperatorLoc(), refusals::spawn_without_call);
    }
    const auto parents = source_.context->getParents(*node);
    const auto* parent = parents.empty() ? nullptr : parents[0].get<clang::Stmt>();
    while (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(parent)) {
      const auto above = source_.context->getParents(*parent);
      parent = above.empty() ? nullptr : above[0].get<clang::Stmt>();
    }
    const bool compound = llvm::isa_and_nonnull<clang::CompoundAssignOperator>(parent);
    no(node->getOperatorLoc(),
       compound ? refusals::spawn_compound_assignment : refusals::spawn_in_expression);
  }

  bool under_spawn(const clang::CallExpr* call) const {
    for (const auto& parent : source_.context->getParents(*call)) {
      const auto* node = parent.get<clang::UnaryOperator>();
      if (node != nullptr && is_spawn(node, source_.sources())) return true;
    }
    return false;
  }

  bool inside(clang::SourceLocation where) const {
    const clang::SourceManager& sources = source_.sources();
    return !sources.isBeforeInTranslationUnit(where, task_.definition->getBeginLoc()) &&
           sources.isBeforeInTranslationUnit(where, task_.definition->getEndLoc());
  }

  void no(clang::SourceLocation where, const refusal& why, llvm::StringRef name = {}) {
    refuse(diagnostics_, where, why, name);
  }

  const program& source_;
  task_function& task_;
  clang::DiagnosticsEngine& diagnostics_;
  llvm::DenseSet<const clang::Expr*> claimed_;
  llvm::DenseSet<clang::SourceLocation> syncs_;
  llvm::DenseSet<clang::SourceLocation> scopes_;  // where the statements of `cilk_scope` begin
};

}  // namespace

void check_statements(const program& source, task_function& task, const function_facts& facts) {
  statement_checker(source, task).run(facts);
}

}  // namespace cilk2chan
