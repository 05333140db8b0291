#include "analysis/allocations.hpp"

#include "diagnostics/refusals.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/checks/check.hpp"

namespace cilk2chan {
namespace {

// An array of variable length becomes a pointer. Uses in which it decays to one stay valid; others
// are refused.
class allocation_checker : public tree_walker {
 public:
  allocation_checker(const program& source, const task_function& task)
      : diagnostics_(source.context->getDiagnostics()) {
    claim(task);
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (!is_alloca(call) || claimed_.contains(call)) return true;
    return no(call->getExprLoc(), refusals::stack_memory, call->getDirectCallee()->getName());
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    const bool claimed = arrays_.contains(variable);
    if (llvm::isa<clang::ParmVarDecl>(variable) || claimed) return true;
    if (!variable->getType()->isVariablyModifiedType()) return true;
    return no(variable->getLocation(), refusals::variable_array, variable->getName());
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      decayed_.insert(cast->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || variable_array(variable) == nullptr) return true;
    if (decayed_.contains(name)) return true;
    return no(name->getLocation(), refusals::whole_array, variable->getName());
  }

 private:
  void claim(const task_function& task) {
    for (const auto& entry : task.allocations) {
      if (entry.second->call != nullptr) claimed_.insert(entry.second->call);
      if (entry.second->variable != nullptr) arrays_.insert(entry.second->variable);
    }
    for (const auto& loop : task.loops) claim(*loop);
  }

  bool no(clang::SourceLocation where, const refusal& why, llvm::StringRef name) {
    refuse(diagnostics_, where, why, name);
    return true;
  }

  clang::DiagnosticsEngine& diagnostics_;
  llvm::DenseSet<const clang::VarDecl*> arrays_;
  llvm::DenseSet<const clang::CallExpr*> claimed_;
  llvm::DenseSet<const clang::Expr*> decayed_;
};

}  // namespace

void check_allocations(const program& source, const task_function& task) {
  allocation_checker(source, task).look_through(task.definition->getBody());
}

}  // namespace cilk2chan
