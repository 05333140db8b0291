#pragma once

#include "frontend/loop_task.hpp"
#include "frontend/program.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cilk2chan {

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
