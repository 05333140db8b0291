#pragma once

#include "normal_form/plain_effects.hpp"

#include <clang/AST/Stmt.h>

#include <vector>

namespace cilk2chan {

/// Writes jumps to a label of a block around. Forward: what lies between runs only if the label's
/// flag is not set, and loops between end with a `break`. Back: the rest of the label's block is a
/// loop, which a jump goes to the end of.
class plain_jumps : public plain_effects {
 protected:
  using plain_effects::plain_effects;
  ~plain_jumps() = default;

  /// The statements of a block that is open.
  void statements_of(const clang::CompoundStmt* block);
  void jump(const clang::GotoStmt* code);
  /// A `break`, or a `continue`, of the program's loop or `switch` around.
  void leave_loop(bool continues);

  /// A loop that stands for jumps back.
  struct jump_loop {
    const clang::LabelDecl* label = nullptr;
    std::string broken;  // the flags of a `break` and a `continue` of a loop around, if there are
    std::string continued;
    int choices = 0;
    std::size_t breaks_to = 0;  // around it
  };
  /// Those inside of the program's innermost loop around.
  std::vector<jump_loop> jump_loops_;

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
  /// The loop from a label to the end of its block, of which `rest` is what is left.
  void open_loop(const clang::LabelDecl* label, llvm::ArrayRef<const clang::Stmt*> rest);
  void close_loop(llvm::ArrayRef<const clang::Stmt*> rest);
  void break_if(const std::string& flag);

  llvm::DenseMap<const clang::LabelDecl*, target> targets_;
};

}  // namespace cilk2chan
