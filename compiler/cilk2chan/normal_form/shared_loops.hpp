#pragma once

#include "frontend/loop_task.hpp"  // loop_form
#include "frontend/parsed_file.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>

#include <optional>
#include <vector>

namespace cilk2chan {

/// A plain loop of a function that spawns. Where it stands one lane of a device would run it; as a
/// leaf of its own, lanes can share it.
struct shared_loop {
  loop_form form;
  bool nested = false;  // it has a loop in it
  /// Counters that are declared outside and set anew wherever they are used.
  std::vector<const clang::VarDecl*> counters;
  /// Other variables with numbers that it changes: they come out of it.
  std::vector<const clang::VarDecl*> changed;
};

/// Whether a function leads to a spawn.
using spawning_test = llvm::function_ref<bool(const clang::FunctionDecl*)>;

/// What the loop is as a leaf. Nothing if it cannot be one: there is Cilk in it, a jump out of it,
/// or what has to stay where it is.
[[nodiscard]] std::optional<shared_loop> find_shared_loop(const parsed_file& source,
                                                          const clang::FunctionDecl* definition,
                                                          const clang::ForStmt* loop,
                                                          spawning_test spawns);

class spawn_finder;

/// Loops of a function, and statements that may take as long, by what its task does before and
/// behind them. What neither spawns before nor later is the base case, which is a leaf as a whole.
class loops_of_tasks {
 public:
  loops_of_tasks(const parsed_file& source, const clang::FunctionDecl* definition);

  /// Those that control may reach behind a sync.
  [[nodiscard]] const llvm::SetVector<const clang::Stmt*>& behind_syncs() const { return behind_; }
  [[nodiscard]] bool contains(const clang::Stmt* code) const {
    return behind_.contains(code) || before_.contains(code);
  }

 private:
  enum class reached { never, plainly, behind_sync };

  /// How control reaches what stands behind `code`.
  reached forward(const spawn_finder& finder, const clang::Stmt* code, reached now);
  /// Whether a spawn may follow in front of `code`, if one does behind it.
  bool backward(const spawn_finder& finder, const clang::Stmt* code, bool later);

  const parsed_file& source_;
  llvm::SetVector<const clang::Stmt*> behind_;
  llvm::SetVector<const clang::Stmt*> before_;  // some spawn
  reached at_switch_ = reached::never;
};

/// Whether a function has a loop behind a sync that lanes can share, or copies or fills a block of
/// memory there, or calls what has a loop that its arguments bound. Its task goes on there in any
/// case.
[[nodiscard]] bool shares_loops(const parsed_file& source, const clang::FunctionDecl* definition,
                                spawning_test spawns);

}  // namespace cilk2chan
