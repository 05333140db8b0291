#include "tasks/lanes/inlined_calls.hpp"

#include "analysis/usage.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/lanes/effects.hpp"
#include "tasks/lanes/tree_copy.hpp"

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// The names of variables begin with this and a number.
constexpr llvm::StringLiteral prefix_of_names = "cilk_called_";

// Calls in calls are replaced this deep.
constexpr unsigned deepest_call = 4;

// Writes a function's body anew around the calls that are replaced.
class inliner : public tree_rewriter {
 public:
  inliner(const program& source, const clang::FunctionDecl* function, reference_finder& finder)
      : tree_rewriter(*source.context), source_(source), caller_(function), finder_(finder) {}

  function_list inlined;

 private:
  clang::Stmt* instead_of(clang::Stmt* code) override {
    auto* call = llvm::dyn_cast<clang::CallExpr>(code);
    return is_in_loop() && call != nullptr ? replaced(call) : nullptr;
  }

  clang::Stmt* replaced(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
    if (definition == nullptr || depth_ == deepest_call || !is_plain(definition) ||
        call->getStmtClass() != clang::Stmt::CallExprClass ||
        call->getNumArgs() != definition->getNumParams())
      return nullptr;
    tree_copy copy(source_, prefix_of_names.str() + std::to_string(++calls_) + "_");
    std::vector<clang::Stmt*> all;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      if (call->getArg(i)->HasSideEffects(context_)) return nullptr;
      all.push_back(
          declaration_of(context_, copy.variable(definition->getParamDecl(i), call->getArg(i))));
    }
    const auto* body = llvm::cast<clang::CompoundStmt>(definition->getBody());
    for (const clang::Stmt* each : body->body()) all.push_back(copy.statement(each));
    if (!copy.is_complete()) return nullptr;
    inlined.insert(definition->getCanonicalDecl());
    clang::Stmt* made = clang::CompoundStmt::Create(context_, all, clang::FPOptionsOverride(),
                                                    call->getBeginLoc(), call->getEndLoc());
    ++depth_;
    made = rewritten(made);
    --depth_;
    return made;
  }

  // Whether the caller may stand for the function.
  bool is_plain(const clang::FunctionDecl* callee) {
    const clang::SourceManager& sources = source_.sources();
    if (!llvm::isa<clang::CompoundStmt>(callee->getBody()) || callee->isVariadic() ||
        llvm::isa<clang::CXXMethodDecl>(callee) || callee->isTemplateInstantiation() ||
        source_.task_of(callee) != nullptr || callee == caller_ ||
        sources.isInSystemHeader(callee->getLocation()) ||
        !sources.isBeforeInTranslationUnit(callee->getLocation(), caller_->getLocation()) ||
        !callee->getDeclContext()->Equals(caller_->getDeclContext()))
      return false;
    const references& names = finder_.of(callee);
    if (std::ranges::any_of(names.functions, is_for_groups) || names.kept != nullptr ||
        !names.pointer_calls.empty() || !names.virtual_calls.empty() ||
        names.functions.contains(callee->getCanonicalDecl()) || hides_name_of(callee))
      return false;
    const variable_usage usage = usage_of(callee->getBody());
    return usage.escaped.empty() &&
           std::ranges::all_of(callee->parameters(), [](const clang::ParmVarDecl* one) {
             return one->getType()->isScalarType() && !one->getType().isVolatileQualified();
           });
  }

  // Whether a variable of the caller has a name that means something else in the function.
  bool hides_name_of(const clang::FunctionDecl* callee) const {
    struct visitor : tree_walker {
      const std::set<llvm::StringRef>* names = nullptr;
      bool found = false;
      bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        const bool local = variable != nullptr && variable->hasLocalStorage();
        found = found || (!local && name->getDecl()->getIdentifier() != nullptr &&
                          names->contains(name->getDecl()->getName()));
        return !found;
      }
    };
    visitor look;
    look.names = &own_names_;
    look.look_through(callee->getBody());
    return look.found;
  }

  static std::set<llvm::StringRef> names_in(const clang::FunctionDecl* function) {
    struct visitor : tree_walker {
      std::set<llvm::StringRef> names;
      bool VisitVarDecl(clang::VarDecl* variable) override {
        if (variable->getIdentifier() != nullptr) names.insert(variable->getName());
        return true;
      }
    };
    visitor look;
    look.look_through(function->getBody());
    for (const clang::ParmVarDecl* one : function->parameters()) {
      if (one->getIdentifier() != nullptr) look.names.insert(one->getName());
    }
    return look.names;
  }

  const program& source_;
  const clang::FunctionDecl* caller_;
  reference_finder& finder_;
  std::set<llvm::StringRef> own_names_ = names_in(caller_);
  unsigned calls_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

inlined_body with_inlined_calls(const program& source, const clang::FunctionDecl* function,
                                reference_finder& finder) {
  inliner how(source, function, finder);
  inlined_body made;
  made.code = how.rewritten(function->getBody());
  made.inlined = std::move(how.inlined);
  return made;
}

std::string name_in_source(const clang::VarDecl* variable) {
  llvm::StringRef name = variable->getName();
  while (name.consume_front(prefix_of_names)) name = name.split('_').second;
  return name.str();
}

}  // namespace cilk2chan
