#pragma once

#include "host_code/places/places.hpp"

#include <llvm/ADT/DenseMap.h>

namespace cilk2chan::host_code {

/// A part of a function that runs from its start to its end in one strand: a loop, or consecutive
/// iterations of a `cilk_for`, in which the function neither spawns nor syncs. A called function
/// joins its own children before it returns, so the strand after the call is the strand before it.
/// A view that is looked up at the start is valid in the whole part.
struct strand_part {
  const clang::Stmt* loop = nullptr;      // the loop, or the body of the cilk_for
  const loop_site* iterations = nullptr;  // the cilk_for, if it is one
};

/// The strand parts of a file.
class strand_parts {
 public:
  strand_parts(parsed_file& source, const place_list& places);
  /// The outermost part that contains `use` and does not declare `variable`, or null. `variable`
  /// may be null.
  [[nodiscard]] const strand_part* around(const clang::Expr* use,
                                          const clang::VarDecl* variable) const;

  /// A loop, linked to the loops around it, up to the function's body or a cilk_for.
  struct nest {
    nest* outer = nullptr;
    strand_part part;
    bool one_strand = true;
  };

 private:
  [[nodiscard]] bool is_inside(const clang::VarDecl* variable, const nest& loop) const;

  parsed_file& source_;
  std::deque<nest> loops_;
  llvm::DenseMap<const clang::Expr*, const nest*> nests_;  // the innermost loop of a name or member
};

}  // namespace cilk2chan::host_code
