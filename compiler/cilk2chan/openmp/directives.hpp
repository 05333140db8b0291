#pragma once

#include "openmp/sharing.hpp"

#include <llvm/ADT/DenseSet.h>

#include <vector>

namespace cilk2chan::openmp {

/// Translates the directives of one function, from the outermost to the innermost. The bodies of
/// tasks and of iterations are regions: each has children of its own, which are joined at its end.
class directive_translator {
 public:
  directive_translator(file_changes& out, const clang::FunctionDecl* function)
      : out_(out), function_(function) {}

  void run();

  // What the function does as a part of its caller's task.
  bool makes_tasks = false;
  clang::SourceLocation waits;                        // a `taskwait`
  bool waits_before_calls = false;                    // such a one is before all calls
  llvm::DenseSet<const clang::FunctionDecl*> called;  // canonical

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
  /// Refuses what every thread of a `parallel` would run.
  void check_team(const clang::Stmt* code);
  /// Gives a construct that threads share what each of them has of its own.
  void add_thread_variables(const clang::OMPExecutableDirective* one, own_variables& own);
  /// Finds what each `critical` in a statement may change.
  void find_locked(const clang::Stmt* code);
  /// Notes what a statement declares that each thread runs.
  void note_declarations(const clang::Stmt* code);
  /// Whether the task is the call of a function, which is the same as its block; returns the call.
  const clang::CallExpr* call_of(const clang::Stmt* code, const own_variables& own) const;
  /// Makes scopes of the inner blocks that declare what a task shares.
  void join_before_end(const clang::Stmt* code, const own_variables& own);

  /// Writes `{ before keyword` for the directive, whose statement becomes a block that begins with
  /// `inside`, and `after }` behind it.
  void block(const clang::OMPExecutableDirective* one, const std::string& before,
             const std::string& inside, llvm::function_ref<void(const clang::Stmt*)> walk_one,
             const std::string& after = {});

  file_changes& out_;
  const clang::FunctionDecl* function_;
  std::vector<region> regions_;
  llvm::SetVector<const clang::VarDecl*> locked_;
  own_variables of_thread_;  // of the `parallel` around
  bool in_team_ = false;     // each thread comes to what is walked through now
  llvm::DenseSet<const clang::CompoundStmt*> scopes_;  // of blocks that are being walked through
};

/// Translates `atomic`.
void translate_atomic(file_changes& out, const clang::OMPAtomicDirective* one);

/// The loop of a directive becomes a `cilk_for`; with reductions, one over parts of its iterations.
/// Returns what has to come behind the loop, once its body is translated.
[[nodiscard]] std::string translate_loop(file_changes& out,
                                         const clang::OMPExecutableDirective* one,
                                         const clang::ForStmt* loop, const copies& variables);

}  // namespace cilk2chan::openmp
