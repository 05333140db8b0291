#pragma once

#include "frontend/program.hpp"

#include <map>
#include <set>

namespace cilk2chan {

using variable_set = std::set<const clang::VarDecl*>;

/// Which of a function's variables are still needed before and after each statement. Runs Clang's
/// live-variable analysis over the control-flow graph, and keeps the results for the places that
/// lowering asks about.
class liveness {
 public:
  explicit liveness(const program& source, const task_function& task);

  /// The variables needed when control arrives at `piece`.
  [[nodiscard]] variable_set before(const statement_part& piece) const;
  /// The variables needed at the end of any part of `statement`, and so behind it.
  [[nodiscard]] variable_set behind(const clang::Stmt* statement) const;
  /// The variables needed after the expression `node`: a sync, or a child's call.
  [[nodiscard]] variable_set after(const clang::Expr* node) const;

 private:
  std::map<const clang::Stmt*, variable_set> before_;
  std::map<const clang::Stmt*, variable_set> after_;
};

}  // namespace cilk2chan
