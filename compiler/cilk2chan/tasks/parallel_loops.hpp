#pragma once

#include "frontend/program.hpp"
#include "host_code/loops.hpp"  // loop_form

#include <optional>

namespace cilk2chan {

/// A `cilk_for` as a task of its own: it halves the range of its iterations until that is no longer
/// than the grain, and then runs them in order. The task has the frame of the function around it,
/// or of the loop around it, by pointer, and what the body uses of that is there.
struct loop_task {
  const clang::ForStmt* node = nullptr;
  host_code::loop_form form;
  std::string grain;                     // as it is written; empty: none is
  const task_function* outer = nullptr;  // whose frame it has
  llvm::DenseSet<const clang::VarDecl*>
      variables;  // that the loop declares: each iteration has its own
};

/// Whether `loop` is a `cilk_for`.
[[nodiscard]] bool is_parallel(const clang::ForStmt* loop, const clang::SourceManager& sources);

/// How `loop` counts; refuses what tasks cannot count, and a body that leaves the loop.
[[nodiscard]] std::unique_ptr<loop_task> read_loop(const program& source,
                                                   const clang::ForStmt* loop);

/// The local variables of the function around it that the loop uses.
[[nodiscard]] std::vector<const clang::VarDecl*> captured_by(const loop_task& loop);

/// The name of the task, for messages.
[[nodiscard]] std::string loop_name(const program& source, const task_function& task);

/// Whether the head of the loop can be computed again, where it found no room the first time.
[[nodiscard]] bool can_count_again(const program& source, const loop_task& loop);

}  // namespace cilk2chan
