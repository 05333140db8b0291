#pragma once

#include "host_code/places.hpp"

#include <llvm/ADT/DenseMap.h>

namespace cilk2chan::host_code {

/// A part of a function that goes through from its start to its end in one strand: a loop, or
/// consecutive iterations of a `cilk_for`, in which its function neither spawns nor syncs. What
/// functions that are called spawn, they have joined when they return, and the strand is the one
/// that it was. So a view that is taken at the start is good in all of it.
struct steady_part {
  const clang::Stmt* loop = nullptr;      // the loop, or the body of the cilk_for
  const loop_site* iterations = nullptr;  // that cilk_for
};

/// Those of a file.
class steady_parts {
 public:
  steady_parts(parsed_file& source, const place_list& places);
  /// The outermost part around `use` in whose text `variable` is not declared, if any;
  /// `variable` may be null.
  [[nodiscard]] const steady_part* around(const clang::Expr* use,
                                          const clang::VarDecl* variable) const;

  /// A loop and those around it, up to the function's body or a cilk_for.
  struct nest {
    nest* outer = nullptr;
    steady_part part;
    bool steady = true;
  };

 private:
  [[nodiscard]] bool is_inside(const clang::VarDecl* variable, const nest& loop) const;

  parsed_file& source_;
  std::deque<nest> loops_;
  llvm::DenseMap<const clang::Expr*, const nest*> nests_;  // of names and members
};

}  // namespace cilk2chan::host_code
