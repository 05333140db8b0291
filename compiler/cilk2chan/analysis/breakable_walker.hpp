#pragma once

#include "frontend/tree_walker.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace cilk2chan {

/// A walker that comes to each loop and `switch`, which a `break` leaves, as a whole.
class breakable_walker : public tree_walker {
 public:
  bool TraverseForStmt(clang::ForStmt* node) override {
    return inside(node, [&] { return tree_walker::TraverseForStmt(node); });
  }
  bool TraverseWhileStmt(clang::WhileStmt* node) override {
    return inside(node, [&] { return tree_walker::TraverseWhileStmt(node); });
  }
  bool TraverseDoStmt(clang::DoStmt* node) override {
    return inside(node, [&] { return tree_walker::TraverseDoStmt(node); });
  }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* node) override {
    return inside(node, [&] { return tree_walker::TraverseCXXForRangeStmt(node); });
  }
  bool TraverseSwitchStmt(clang::SwitchStmt* node) override {
    return inside(node, [&] { return tree_walker::TraverseSwitchStmt(node); });
  }

 protected:
  /// Calls `walk`, which walks through `code`.
  virtual bool inside(const clang::Stmt* code, llvm::function_ref<bool()> walk) = 0;
};

}  // namespace cilk2chan
