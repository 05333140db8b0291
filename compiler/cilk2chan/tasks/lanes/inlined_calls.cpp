#include "tasks/lanes/inlined_calls.hpp"

#include "analysis/usage.hpp"
#include "frontend/tree_walker.hpp"
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
class inliner {
 public:
  inliner(const program& source, const clang::FunctionDecl* function, reference_finder& finder)
      : source_(source), context_(*source.context), caller_(function), finder_(finder) {}

  std::set<const clang::FunctionDecl*> inlined;

  // `in_loop`: the code stands in a loop. Returns the same code if nothing in it is replaced.
  clang::Stmt* rewritten(clang::Stmt* code, bool in_loop) {
    if (code == nullptr) return nullptr;
    if (auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) {
      std::vector<clang::Stmt*> all;
      bool changed = false;
      for (clang::Stmt* each : list->body()) {
        clang::Stmt* made = rewritten(each, in_loop);
        changed = changed || made != each;
        // Names are no others, so what was called needs no block of its own.
        const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(made);
        if (made != each && llvm::isa<clang::Expr>(each) && inner != nullptr) {
          all.insert(all.end(), inner->body_begin(), inner->body_end());
        } else {
          all.push_back(made);
        }
      }
      return changed ? clang::CompoundStmt::Create(context_, all, clang::FPOptionsOverride(),
                                                   list->getLBracLoc(), list->getRBracLoc())
                     : code;
    }
    if (auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) {
      clang::Stmt* body = rewritten(loop->getBody(), true);
      if (body == loop->getBody()) return code;
      return new (context_) clang::ForStmt(
          context_, loop->getInit(), loop->getCond(), loop->getConditionVariable(), loop->getInc(),
          body, loop->getForLoc(), loop->getLParenLoc(), loop->getRParenLoc());
    }
    if (auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
      clang::Stmt* then = rewritten(branch->getThen(), in_loop);
      clang::Stmt* otherwise = rewritten(branch->getElse(), in_loop);
      if (then == branch->getThen() && otherwise == branch->getElse()) return code;
      return clang::IfStmt::Create(context_, branch->getIfLoc(), branch->getStatementKind(),
                                   branch->getInit(), branch->getConditionVariable(),
                                   branch->getCond(), branch->getLParenLoc(),
                                   branch->getRParenLoc(), then, branch->getElseLoc(), otherwise);
    }
    if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(code)) {
      clang::Stmt* body = rewritten(loop->getBody(), true);
      if (body == loop->getBody()) return code;
      return clang::WhileStmt::Create(context_, loop->getConditionVariable(), loop->getCond(), body,
                                      loop->getWhileLoc(), loop->getLParenLoc(),
                                      loop->getRParenLoc());
    }
    auto* call = llvm::dyn_cast<clang::CallExpr>(code);
    clang::Stmt* made = in_loop && call != nullptr ? replaced(call) : nullptr;
    return made != nullptr ? made : code;
  }

 private:
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
    made = rewritten(made, true);
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
    const bool is_for_groups = std::ranges::any_of(names.functions, [](const auto* one) {
      return one->getIdentifier() != nullptr && one->getName().starts_with("channels_");
    });
    if (is_for_groups) return false;
    if (names.kept != nullptr || !names.pointer_calls.empty() || !names.virtual_calls.empty() ||
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
  clang::ASTContext& context_;
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
  made.code = how.rewritten(function->getBody(), false);
  made.inlined = std::move(how.inlined);
  return made;
}

std::string name_in_source(const clang::VarDecl* variable) {
  llvm::StringRef name = variable->getName();
  while (name.consume_front(prefix_of_names)) name = name.split('_').second;
  return name.str();
}

}  // namespace cilk2chan
