#pragma once

#include "host_code/rewriting.hpp"

namespace cilk2chan::host_code {

/// Sends calls of functions that have a task form through their entries, where they come from code
/// that cannot run in a task (entries.cpp). Before the spawns are written.
void rewrite_entries(rewriting& out);

/// What stands behind the program: the names by which its tasks know it, and what is said when it
/// is to run through channels and some of it cannot. Its host code alone, as
/// `CHANNELS_CILK_NO_TASKS` says why, is a program too.
[[nodiscard]] std::string epilogue(const rewriting& out);

}  // namespace cilk2chan::host_code
