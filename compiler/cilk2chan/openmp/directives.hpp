#pragma once

#include "analysis/loop_forms.hpp"
#include "openmp/final.hpp"
#include "openmp/sharing.hpp"
#include "openmp/teams.hpp"

#include <llvm/ADT/DenseSet.h>

#include <vector>

namespace cilk2chan::openmp {

/// Translates the directives of one function, from the outermost to the innermost. The bodies of
/// tasks and of iterations are regions: each has children of its own, which are joined at its end.
class directive_translator {
 public:
  directive_translator(file_changes& out, const final_tasks& finals,
                       const clang::FunctionDecl* function)
      : out_(out), finals_(finals), function_(function) {}

  void run();

  // What the function does as a part of its caller's task.
  bool makes_tasks = false;
  clang::SourceLocation waits;                        // a `taskwait`
  bool waits_before_calls = false;                    // such a one is before all calls
  llvm::DenseSet<const clang::FunctionDecl*> called;  // canonical
  llvm::DenseSet<const clang::FunctionDecl*> all_called;
  llvm::DenseSet<const clang::FunctionDecl*> called_by_team;  // by each of its threads
  clang::SourceLocation asks_for_thread;  // a call that is not of a team's thread

 private:
  struct region {
    std::vector<const clang::CompoundStmt*> blocks;  // from its body inwards
    bool of_function = false;
    unsigned tasks = 0;  // so far
  };

  void walk(const clang::Stmt* code);
  void walk_block(const clang::CompoundStmt* block,
                  llvm::function_ref<void(const clang::Stmt*)> walk_one);
  /// Walks through the body of a new region.
  void walk_region(const clang::Stmt* body);
  void directive(const clang::OMPExecutableDirective* one);

  void task(const clang::OMPExecutableDirective* one);
  void wait(const clang::OMPExecutableDirective* one);
  void group(const clang::OMPExecutableDirective* one);
  void parallel(const clang::OMPExecutableDirective* one);
  void once(const clang::OMPExecutableDirective* one);
  void sections(const clang::OMPExecutableDirective* one);
  void loop(const clang::OMPExecutableDirective* one);
  void critical(const clang::OMPExecutableDirective* one);
  void leave_out(const clang::OMPExecutableDirective* one);

  /// Refuses clauses that are not among `taken`.
  void check_clauses(const clang::OMPExecutableDirective* one,
                     llvm::ArrayRef<llvm::omp::Clause> taken);
  /// A `parallel` with code that every thread runs.
  void team_parallel(const clang::OMPExecutableDirective* one);
  void team_parts(const std::vector<team_part>& parts);
  void team_phase(const team_part& phase);
  void team_whole(const clang::Stmt* code);
  /// Translates what the threads of a team share while each of them runs. Returns whether it is
  /// such a construct.
  bool in_phase(const clang::OMPExecutableDirective* one);
  void team_loop(const clang::OMPExecutableDirective* one);
  void team_once(const clang::OMPExecutableDirective* one);
  /// Notes or translates what a call asks of OpenMP's runtime.
  void call(const clang::CallExpr* one);
  /// Gives a construct that threads share what each of them has of its own.
  void add_thread_variables(const clang::OMPExecutableDirective* one, own_variables& own);
  /// Finds what each `critical` in a statement may change.
  void find_locked(const clang::Stmt* code);
  /// Notes what a statement declares that each thread runs.
  void note_declarations(const clang::Stmt* code);
  /// Whether the task is the call of a function, which is the same as its block; returns the call.
  const clang::CallExpr* call_of(const clang::Stmt* code, const own_variables& own) const;
  /// Translates a loop, or one thread's part of it, which has these reductions then.
  void shared_loop(const clang::OMPExecutableDirective* one, const clang::ForStmt* loop,
                   own_variables own, const std::vector<reduced_variable>* of_thread);
  /// What brings the variables of `lastprivate` out of the last iteration; `made` gets their
  /// places.
  std::string bring_out_last(const clang::OMPExecutableDirective* one,
                             const std::optional<loop_form>& form, copies& made);
  /// Makes scopes of the inner blocks that declare what a task shares.
  void join_before_end(const clang::Stmt* code, const own_variables& own);

  /// Writes `{ before keyword` for the directive, whose statement becomes a block that begins with
  /// `inside`, and `after }` behind it.
  void block(const clang::OMPExecutableDirective* one, const std::string& before,
             const std::string& inside, llvm::function_ref<void(const clang::Stmt*)> walk_one,
             const std::string& after = {});

  file_changes& out_;
  const final_tasks& finals_;
  const clang::FunctionDecl* function_;
  std::vector<region> regions_;
  llvm::SetVector<const clang::VarDecl*> locked_;
  own_variables of_thread_;  // of the `parallel` around
  bool in_team_ = false;     // each thread comes to what is walked through now
  team* team_ = nullptr;     // the `parallel` around, whose code every thread runs
  bool in_phase_ = false;    // of that team
  llvm::DenseSet<const clang::CompoundStmt*> scopes_;  // of blocks that are being walked through
};

/// Translates `atomic`.
void translate_atomic(file_changes& out, const clang::OMPAtomicDirective* one);

/// What has to come behind a loop, once its body is translated, and the condition that holds in the
/// last iteration.
struct loop_end {
  std::string text;
  std::string is_last;
};

/// The loop of a directive becomes a `cilk_for`; with reductions, one over parts of its iterations.
/// With `of_thread`, which are its reductions then, it becomes one thread's part of it.
[[nodiscard]] loop_end translate_loop(file_changes& out, const clang::OMPExecutableDirective* one,
                                      const clang::ForStmt* loop, const copies& variables,
                                      const std::vector<reduced_variable>* of_thread);

}  // namespace cilk2chan::openmp
