#pragma once

#include "host_code/places/places.hpp"

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
  /// Refuses gotos that enter a region other than through its beginning, or that leave a loop.
  void check(const parsed_file& source) const;

 private:
  struct goto_site {
    const clang::GotoStmt* statement;
    const region* from;
  };
  llvm::DenseMap<const clang::LabelDecl*, const region*> labels_;
  std::vector<goto_site> gotos_;
};

/// Refuses a jump at `where` that enters the region `to`, from the region `from`, other than
/// through its beginning.
void check_jump(const parsed_file& source, const region* from, const region* to,
                clang::SourceLocation where);

}  // namespace cilk2chan::host_code
