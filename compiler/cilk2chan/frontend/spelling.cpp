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

}  // namespace cilk2chan
