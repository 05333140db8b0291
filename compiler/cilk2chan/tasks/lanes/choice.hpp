#pragma once

#include "tasks/lanes/lane_loop.hpp"

#include <map>

namespace cilk2chan {

/// The loops of a piece of code: those that lanes run side by side, and all that were looked at, in
/// the order of the source.
struct chosen_loops {
  std::map<const clang::ForStmt*, lane_loop> lanes;  // by what is written in place of each
  std::map<const clang::ForStmt*, lane_loop> rows;   // those of a nest, without the loops around
  std::vector<std::pair<const clang::ForStmt*, std::string>> said;  // a line for each
};

/// Chooses loops of `code`, one in each nest: the one whose neighbouring iterations touch
/// neighbouring memory, and the inner one of two that do.
/// Passes over loops that spawn, if the code is of a task.
[[nodiscard]] chosen_loops choose_loops(const loop_place& place, const clang::Stmt* code,
                                        const task_function* task);

}  // namespace cilk2chan
