#pragma once

#include "openmp/reductions.hpp"
#include "openmp/sharing.hpp"

#include <llvm/ADT/DenseSet.h>

#include <map>
#include <string>
#include <vector>

namespace cilk2chan::openmp {

/// A part of what a team of threads runs.
struct team_part {
  enum class way {
    phase,    // every thread runs it, beside the others: neighbouring statements of a block
    whole,    // a construct whose work the threads share, which is run once
    barrier,  // nothing but a place where the threads meet
    control,  // a statement around such parts, whose head decides for all threads
  };
  way how = way::phase;
  std::vector<const clang::Stmt*> code;
  std::vector<team_part> inner;  // of a control statement
};

/// A `parallel` with code that every thread runs. The code between two places where the threads
/// meet becomes a loop over the threads. A variable that a thread has of its own, and that is used
/// in more than one such phase, is an element of an array in the meantime.
class team {
 public:
  /// Refuses what cannot be cut into phases.
  team(file_changes& out, const clang::OMPExecutableDirective* parallel);

  [[nodiscard]] const std::vector<team_part>& parts() const { return parts_; }
  /// The block of the `parallel`; null if its statement is none.
  [[nodiscard]] const clang::CompoundStmt* block() const;
  /// The expressions and declarations of a control statement's head.
  [[nodiscard]] static std::vector<const clang::Stmt*> heads_of(const clang::Stmt* control);

  /// What stands before all parts, and what stands behind them.
  [[nodiscard]] std::string prologue() const;
  [[nodiscard]] std::string team_variables() const;
  [[nodiscard]] std::string epilogue() const;
  /// What stands before a phase: its end is `end_of_phase` with what stands in front of the stores.
  [[nodiscard]] std::string begin_of_phase(const team_part& phase);
  [[nodiscard]] std::string end_of_phase(const team_part& phase, const std::string& first);

  /// What each iteration of a loop has of its own, where it is run once for all threads.
  [[nodiscard]] own_variables of_iterations() const;

  /// The reductions of a loop that the threads share in a phase.
  [[nodiscard]] const std::vector<reduced_variable>& reductions_of_loop(
      const clang::OMPExecutableDirective* loop) const;

 private:
  struct kept_variable {
    std::string array;
    const team_part* declared_in = nullptr;  // none: by a clause
  };

  void plan(llvm::ArrayRef<const clang::Stmt*> code, std::vector<team_part>& to);
  void plan_directive(const clang::OMPExecutableDirective* one, std::vector<team_part>& to,
                      bool& open);
  void plan_control(const clang::Stmt* code, std::vector<team_part>& to);
  void check_head(const clang::Stmt* control);
  void note_declarations(const clang::Stmt* code);
  /// Finds which variables more than one phase uses.
  void find_kept(const std::vector<team_part>& parts, bool repeated);
  void keep(const clang::VarDecl* variable, const team_part* declared_in);
  /// Finds variables without a value that nothing but loops uses which the threads share.
  void find_loose();
  [[nodiscard]] bool uses_own(const clang::Stmt* code) const;
  [[nodiscard]] std::string copied(const clang::VarDecl* variable, const std::string& to,
                                   const std::string& from) const;

  file_changes& out_;
  const clang::OMPExecutableDirective* parallel_;
  own_variables own_;
  std::vector<reduced_variable> reduced_;
  llvm::SetVector<const clang::VarDecl*> threads_;  // what each thread has of its own
  llvm::SetVector<const clang::VarDecl*> loose_;
  llvm::SetVector<const clang::VarDecl*> teams_;  // private variables that only heads change
  std::map<const clang::VarDecl*, const team_part*> declared_;
  llvm::MapVector<const clang::VarDecl*, kept_variable> kept_;
  std::map<const clang::VarDecl*, const team_part*> used_in_;
  std::map<const clang::Stmt*, std::vector<reduced_variable>> loops_;
  std::vector<team_part> parts_;
};

/// Whether there is code in the statement of a `parallel` that every thread would run.
[[nodiscard]] bool every_thread_runs(const file_changes& out, const clang::Stmt* code);

/// Whether the statement asks for the number of its thread.
[[nodiscard]] bool asks_for_thread(const clang::Stmt* code);

/// Whether the statement leads out of a loop around it: into its next iteration, or behind it.
[[nodiscard]] bool leaves_loop(const clang::Stmt* code, bool in_loop = false,
                               bool in_switch = false);

/// Whether the expression is a call of a function of `omp.h`.
[[nodiscard]] bool is_call_of(const clang::Stmt* code, llvm::StringRef name);

}  // namespace cilk2chan::openmp
