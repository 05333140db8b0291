#include "frontend/spelling.hpp"

#include <clang/AST/ExprCXX.h>

namespace cilk2chan {

const clang::Expr* written(const clang::Expr* value) {
  for (;;) {
    // IgnoreParens would take `__extension__` away, too.
    const clang::Expr* inner = value->IgnoreUnlessSpelledInSource();
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(inner);
        list != nullptr && list->getNumInits() == 1) {
      inner = list->getInit(0);
    } else if (const auto* parens = llvm::dyn_cast<clang::ParenListExpr>(inner);
               parens != nullptr && parens->getNumExprs() == 1) {
      inner = parens->getExpr(0);
    } else if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner)) {
      inner = cast->getSubExpr();
    }
    if (inner == value) return value;
    value = inner;
  }
}

bool is_plain_form(const clang::FunctionDecl* function) {
  return shown_name(function) != function->getNameAsString();
}

std::string shown_name(const clang::FunctionDecl* function) {
  const std::string name = function->getNameAsString();
  const std::size_t mark = name.find(plain_mark);
  return mark == 0 || mark == std::string::npos ? name : name.substr(0, mark);
}

}  // namespace cilk2chan
