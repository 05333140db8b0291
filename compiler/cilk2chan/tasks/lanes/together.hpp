#pragma once

#include "analysis/references.hpp"
#include "frontend/writer.hpp"
#include "tasks/lanes/choice.hpp"
#include "tasks/lanes/printing.hpp"

#include <set>

namespace cilk2chan {

/// What the lanes of a wavefront need to run a piece of code together.
struct together {
  const loop_place& place;
  const chosen_loops& loops;
  const name_rules& rules;
  const task_function* task = nullptr;  // whose spawns are not come to; none: a plain function
  /// Whether a function has a form for lanes.
  std::function<bool(const clang::FunctionDecl*)> has_form;
  /// The loop or the call that wavefronts share; the function has a `cilk_division` then.
  const clang::Stmt* divided = nullptr;
};

struct written_together {
  std::string why_not;                    // empty: the code can be run so
  std::set<const clang::ForStmt*> loops;  // that lanes share in it
  function_list called;                   // whose forms for lanes it calls; canonical
};

/// Writes code that all lanes of a wavefront run together, with equal variables: what computes is
/// run by all, what has other effects by one of them, and chosen loops are shared.
[[nodiscard]] written_together write_together(const together& how, const clang::Stmt* code,
                                              writer& out);

/// The name of a function's form for lanes, and of the one that wavefronts share.
[[nodiscard]] std::string form_name(const clang::FunctionDecl* function);
[[nodiscard]] std::string divided_name(const clang::FunctionDecl* function);

/// Whether a statement of a task spawns, waits, or allocates.
[[nodiscard]] bool suspends_in(const together& how, const clang::Stmt* code);
/// Whether one of these statements spawns, and no way leads past it: a leaf does not come here.
[[nodiscard]] bool spawns_behind(const together& how, call_effects& calls,
                                 llvm::ArrayRef<clang::Stmt*> statements);

/// Whether there is a loop in the code that lanes share, or a call that leads to one.
[[nodiscard]] bool has_lanes(const together& how, const clang::Stmt* code);

}  // namespace cilk2chan
