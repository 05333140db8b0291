#pragma once

#include "analysis/usage.hpp"
#include "frontend/program.hpp"

#include <vector>

namespace cilk2chan {

/// An array of a function's own whose elements are results of children, and which is only there to
/// be added up:
///
///     long counts[32];
///     int children = 0;
///     for (...) {
///       counts[children] = cilk_spawn f(...);
///       children++;
///     }
///     cilk_sync;
///     for (int i = 0; i < children; i++) sum += counts[i];
///
/// or with the variable of the first loop as the index. Each result is an element of its own, and
/// all of them are added.
struct summed_array {
  const clang::VarDecl* array = nullptr;
  const clang::VarDecl* sum = nullptr;
  const clang::ForStmt* loop = nullptr;  // that adds them up
  // The index, if it is for nothing else.
  const clang::VarDecl* index = nullptr;
};

/// Those of a function.
[[nodiscard]] std::vector<summed_array> find_summed_arrays(const program& source,
                                                           const task_function& task,
                                                           const variable_usage& usage);

/// Whether `statement` is the loop that adds up one of them.
[[nodiscard]] bool adds_up(const std::vector<summed_array>& arrays, const clang::Stmt* statement);

}  // namespace cilk2chan
