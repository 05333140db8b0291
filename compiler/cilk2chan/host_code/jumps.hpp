#pragma once

#include "host_code/places.hpp"

#include <llvm/ADT/DenseMap.h>

namespace cilk2chan::host_code {

/// The labels and gotos of one function.
class jumps {
 public:
  void add_label(const clang::LabelStmt* label, const region* where) {
    labels_[label->getDecl()] = where;
  }
  void add_goto(const clang::GotoStmt* statement, const region* where) {
    gotos_.push_back({statement, where});
  }
  [[nodiscard]] bool any() const { return !labels_.empty(); }
  /// Refuses those that go around the beginning of a region, or out of a loop.
  void check(const parsed_file& source) const;

 private:
  struct jump {
    const clang::GotoStmt* statement;
    const region* from;
  };
  llvm::DenseMap<const clang::LabelDecl*, const region*> labels_;
  std::vector<jump> gotos_;
};

/// Refuses a jump at `where`, from one region to another, around the beginning of that.
void check_jump(const parsed_file& source, const region* from, const region* to,
                clang::SourceLocation where);

}  // namespace cilk2chan::host_code
