#include "analysis/usage.hpp"

#include "analysis/change_visitor.hpp"

#include <clang/AST/ExprCXX.h>

namespace cilk2chan {
namespace {

// Knows names that are read, assigned or copied. Any other use of a name lets the variable escape.
class usage_visitor : public change_visitor {
 public:
  variable_usage result;

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue) read(cast->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* node) override {
    if (node->getNumArgs() == 1 && node->getConstructor()->isCopyOrMoveConstructor() &&
        node->getConstructor()->isTrivial()) {
      follow(node->getArg(0));
    }
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* node) override {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(node->getDirectCallee());
    if (node->getOperator() == clang::OO_Equal && method != nullptr && method->isTrivial()) {
      change(node->getArg(0));
      follow(node->getArg(1));
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && variable->hasLocalStorage() && !followed_.contains(name)) {
      result.escaped.insert(variable);
      result.changed.insert(variable);
    }
    return true;
  }

 private:
  // In C++ `c ? a : b` and `(a, b)` are places; one of the two is read.
  void read(const clang::Expr* place) {
    place = place->IgnoreParens();
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(place)) {
      read(choice->getTrueExpr());
      read(choice->getFalseExpr());
    } else if (const auto* list = llvm::dyn_cast<clang::BinaryOperator>(place);
               list != nullptr && list->getOpcode() == clang::BO_Comma) {
      read(list->getRHS());
    } else {
      follow(place);
    }
  }
  void follow(const clang::Expr* place) {
    if (const auto* name = root_of(place)) followed_.insert(name);
  }
  void change(const clang::Expr* place) override {
    follow(place);
    if (const auto* variable = root_variable(place)) result.changed.insert(variable);
  }

  llvm::DenseSet<const clang::DeclRefExpr*> followed_;
};

}  // namespace

variable_usage usage_of(const clang::Stmt* body) {
  usage_visitor visitor;
  visitor.look_through(body);
  return std::move(visitor.result);
}

const clang::DeclRefExpr* root_of(const clang::Expr* place) {
  for (;;) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place)) return name;
    if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(place)) {
      place = parens->getSubExpr();
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      if (member->isArrow()) return nullptr;
      place = member->getBase();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(element->getBase());
      if (decay == nullptr || decay->getCastKind() != clang::CK_ArrayToPointerDecay) return nullptr;
      place = decay->getSubExpr();
    } else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(place)) {
      if (cast->getCastKind() != clang::CK_NoOp) return nullptr;
      place = cast->getSubExpr();
    } else {
      return nullptr;
    }
  }
}

const clang::VarDecl* root_variable(const clang::Expr* place) {
  const clang::DeclRefExpr* name = root_of(place);
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

const clang::VarDecl* bare_variable(const clang::Expr* expression) {
  if (expression == nullptr) return nullptr;
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

bool is_changed(const clang::VarDecl* variable, const clang::Stmt* body) {
  return usage_of(body).changed.contains(variable);
}

}  // namespace cilk2chan
