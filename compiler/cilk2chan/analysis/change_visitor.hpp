#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace cilk2chan {

/// A visitor that calls `change` of `Finder` for each place that an assignment, an increment or a
/// decrement writes.
template <class Finder>
class change_visitor : public clang::RecursiveASTVisitor<Finder> {
 public:
  bool VisitBinaryOperator(clang::BinaryOperator* node) {
    if (node->isAssignmentOp()) finder().change(node->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) {
    if (node->isIncrementDecrementOp()) finder().change(node->getSubExpr());
    return true;
  }

 private:
  Finder& finder() { return static_cast<Finder&>(*this); }
};

}  // namespace cilk2chan
