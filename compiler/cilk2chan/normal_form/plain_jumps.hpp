#pragma once

#include "normal_form/plain_effects.hpp"

#include <clang/AST/Stmt.h>

#include <vector>

namespace cilk2chan {

/// Writes jumps that go forward, to a label of a block around: what lies between runs only if the
/// label's flag is not set, and loops between end with a `break`.
class plain_jumps : public plain_effects {
 protected:
  using plain_effects::plain_effects;
  ~plain_jumps() = default;

  /// The statements of a block that is open.
  void statements_of(const clang::CompoundStmt* block);
  void jump(const clang::GotoStmt* code);

  std::size_t breaks_to_ = 0;  // the block that a `break` ends
  std::size_t continues_to_ = 0;
  int choices_ = 0;  // `switch`es around

 private:
  struct target {
    std::string flag;
    int loops = 0;    // around its block
    int choices = 0;  // the same
    bool passed = false;
  };
  using labels = std::vector<const clang::LabelDecl*>;

  /// What follows `code` in its block does not run after a jump in it. Adds the labels for which
  /// this has opened a branch.
  void skip_after(const clang::Stmt* code, labels& skipped);

  llvm::DenseMap<const clang::LabelDecl*, target> targets_;
};

}  // namespace cilk2chan
