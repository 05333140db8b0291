#pragma once

#include "analysis/usage.hpp"
#include "frontend/program.hpp"

#include <vector>

namespace cilk2chan {

/// A local array whose elements are results of children, and which the function only adds up:
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
/// or with the variable of the first loop as the index. Each child has an element of its own, and
/// the sum has all of them.
struct summed_array {
  const clang::VarDecl* array = nullptr;
  const clang::VarDecl* sum = nullptr;
  const clang::ForStmt* loop = nullptr;  // the loop that adds them up
  // The index, if it has no other use; else null.
  const clang::VarDecl* index = nullptr;
};

/// The summed arrays of a function.
[[nodiscard]] std::vector<summed_array> find_summed_arrays(const program& source,
                                                           const task_function& task,
                                                           const variable_usage& usage);

/// Whether `statement` is the loop that adds up one of them.
[[nodiscard]] bool adds_up(const std::vector<summed_array>& arrays, const clang::Stmt* statement);

}  // namespace cilk2chan
