#include "analysis/overlapped_calls.hpp"

#include "analysis/change_visitor.hpp"
#include "analysis/effects.hpp"  // acts, is_plain

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/Builtins.h>
#include <llvm/ADT/SetVector.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// Whether a function without a body does nothing but compute.
bool is_known_to_read(const clang::ASTContext& context, const clang::FunctionDecl* function) {
  if (function->hasAttr<clang::ConstAttr>() || function->hasAttr<clang::PureAttr>()) return true;
  const unsigned id = function->getBuiltinID();
  return id != 0 && (context.BuiltinInfo.isConst(id) || context.BuiltinInfo.isPure(id) ||
                     context.BuiltinInfo.isConstWithoutErrnoAndExceptions(id));
}

// Looks for what a function's body does besides computing, and for the functions that it calls.
class action_finder : public change_visitor {
 public:
  explicit action_finder(const clang::ASTContext& context) : context_(context) {}

  bool acts = false;
  llvm::SetVector<const clang::FunctionDecl*> called;  // that have a body

  bool VisitStmt(clang::Stmt* node) override {
    return !(cilk2chan::acts(node) || llvm::isa<clang::IndirectGotoStmt>(node)) || found();
  }
  bool VisitExpr(clang::Expr* value) override {
    return !value->getType().isVolatileQualified() || found();
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return made->getConstructor()->isTrivial() || found();
  }
  bool VisitVarDecl(clang::VarDecl* variable) override { return is_plain(variable) || found(); }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || llvm::isa<clang::CXXMethodDecl>(callee)) return found();
    if (is_known_to_read(context_, callee)) return true;
    const clang::FunctionDecl* definition = callee->getDefinition();
    if (definition == nullptr || !definition->hasBody() || definition->isVariadic() ||
        definition->isWeak())
      return found();
    called.insert(definition);
    return true;
  }

 private:
  bool found() {
    acts = true;
    return false;
  }
  void change(const clang::Expr* place) override {
    const clang::VarDecl* variable = root_variable(place);
    acts = acts || variable == nullptr || !variable->hasLocalStorage() ||
           variable->getType()->isReferenceType();
  }

  const clang::ASTContext& context_;
};

// Finds uses of some variables.
class result_use_finder : public tree_walker {
 public:
  explicit result_use_finder(const llvm::SetVector<const clang::VarDecl*>& variables)
      : variables_(variables) {}

  bool found = false;

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    found = found || (variable != nullptr && variables_.contains(variable));
    return !found;
  }

 private:
  const llvm::SetVector<const clang::VarDecl*>& variables_;
};

class call_overlapper {
 public:
  call_overlapper(const program& source, task_function& task, const variable_usage& usage)
      : source_(source), task_(task), usage_(usage) {}

  void look(const clang::Stmt* code) {
    if (code == nullptr || llvm::isa<clang::Expr>(code)) return;
    if (llvm::isa<clang::CompoundStmt>(code)) look_at_list(code);
    for (const clang::Stmt* child : code->children()) look(child);
  }

 private:
  void look_at_list(const clang::Stmt* list) {
    child_call* before = nullptr;
    llvm::SetVector<const clang::VarDecl*> results;  // of the calls in a row
    for (const statement_part& part : parts_of(task_, list)) {
      // Nothing happens there.
      if (is_bare_declaration(part)) continue;
      child_call* const now = can_overlap(part) ? mutable_child(part) : nullptr;
      const clang::VarDecl* result = now == nullptr ? nullptr : result_of(*now);
      if (result == nullptr || uses_any(*now, results) || results.contains(result)) {
        before = nullptr;
        results.clear();
      }
      if (before != nullptr) before->spawned = true;
      before = result == nullptr ? nullptr : now;
      if (result != nullptr) results.insert(result);
    }
  }

  static bool is_bare_declaration(const statement_part& part) {
    if (part.child != nullptr || part.memory != nullptr || part.ends_scope) return false;
    if (part.variable != nullptr) return !part.variable->hasInit();
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(part.statement);
    return declaration != nullptr &&
           std::ranges::all_of(declaration->decls(), [](const clang::Decl* one) {
             const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
             return variable != nullptr && variable->hasLocalStorage() && !variable->hasInit();
           });
  }

  bool can_overlap(const statement_part& part) const {
    const child_call* child = part.child;
    return child != nullptr && child->loop == nullptr && !child->spawned && !child->returned &&
           only_reads(source_, child->callee);
  }
  child_call* mutable_child(const statement_part& part) {
    const void* key = part.variable != nullptr ? static_cast<const void*>(part.variable)
                                               : static_cast<const void*>(part.statement);
    return task_.children.find(key)->second.get();
  }
  // The variable that gets the result, of which only its name tells; else null.
  const clang::VarDecl* result_of(const child_call& child) const {
    const clang::VarDecl* variable = child.variable != nullptr ? child.variable
                                     : child.place != nullptr  ? bare_variable(child.place)
                                                               : nullptr;
    const bool own = variable != nullptr && variable->hasLocalStorage() && task_.owns(variable) &&
                     variable->getType()->isScalarType() && !usage_.escaped.contains(variable);
    return own ? variable : nullptr;
  }
  bool uses_any(const child_call& child,
                const llvm::SetVector<const clang::VarDecl*>& results) const {
    return std::ranges::any_of(child.call->arguments(), [&](const clang::Expr* argument) {
      result_use_finder uses(results);
      uses.look_through(argument);
      return uses.found || argument->HasSideEffects(*source_.context);
    });
  }

  const program& source_;
  task_function& task_;
  const variable_usage& usage_;
};

}  // namespace

bool only_reads(const program& source, const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = function->getDefinition();
  if (definition == nullptr || !definition->hasBody()) return false;
  const auto known = source.only_read.find(definition);
  if (known != source.only_read.end()) return known->second;
  llvm::SetVector<const clang::FunctionDecl*> all;
  all.insert(definition);
  bool reads = true;
  for (std::size_t i = 0; i < all.size() && reads; ++i) {
    action_finder finder(*source.context);
    finder.look_through(all[i]->getBody());
    reads = !finder.acts && !all[i]->isVariadic() && !all[i]->isWeak();
    all.insert(finder.called.begin(), finder.called.end());
  }
  source.only_read[definition] = reads;
  return reads;
}

void overlap_calls(const program& source, task_function& task, const variable_usage& usage) {
  call_overlapper(source, task, usage).look(task.body());
}

}  // namespace cilk2chan
