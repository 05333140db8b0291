#pragma once

#include "frontend/loop_task.hpp"
#include "frontend/program.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cilk2chan {

/// The grain of `#pragma cilk grainsize N` on the line before the loop, as Cilk Plus spells it.
[[nodiscard]] std::string grain_before(const clang::SourceManager& sources,
                                       const clang::ForStmt* loop);

/// Whether `loop` is a `cilk_for`.
[[nodiscard]] bool is_parallel(const clang::ForStmt* loop, const clang::SourceManager& sources);

/// Reads a `cilk_for`. Refuses loops that tasks cannot count, and bodies that leave the loop; null
/// then.
[[nodiscard]] std::unique_ptr<loop_task> read_loop(const program& source,
                                                   const clang::ForStmt* loop);

/// The local variables that the loop uses, and that belong to the function around it.
[[nodiscard]] std::vector<const clang::VarDecl*> captured_by(const loop_task& loop);

/// The name of the loop's task, for messages.
[[nodiscard]] std::string loop_name(const program& source, const task_function& task);

/// Whether computing the head of the loop a second time does no harm; it is computed again if there
/// was no room for the loop.
[[nodiscard]] bool can_count_again(const program& source, const loop_task& loop);

}  // namespace cilk2chan
