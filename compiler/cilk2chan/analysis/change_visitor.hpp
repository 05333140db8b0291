#pragma once

#include "frontend/tree_walker.hpp"

namespace cilk2chan {

/// A walker that calls `change` for each place that an assignment, an increment or a decrement
/// writes.
class change_visitor : public tree_walker {
 public:
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    if (node->isAssignmentOp()) change(node->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (node->isIncrementDecrementOp()) change(node->getSubExpr());
    return true;
  }

 protected:
  virtual void change(const clang::Expr* place) = 0;
};

}  // namespace cilk2chan
