#pragma once

#include "host_code/rewriting.hpp"

namespace cilk2chan::host_code {

/// Makes calls of functions that have a task form go through their entries, where the caller cannot
/// run in a task. Comes before the spawns are rewritten.
void rewrite_entries(rewriting& out);

/// The text behind the program: the symbols by which its tasks call it, and the message about
/// functions that cannot run through channels. With `CHANNELS_CILK_NO_TASKS`, which holds the
/// reason, the program is host code alone.
[[nodiscard]] std::string epilogue(const rewriting& out);

}  // namespace cilk2chan::host_code
