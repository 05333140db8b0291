#pragma once

#include "analysis/loop_forms.hpp"
#include "host_code/rewriting.hpp"

namespace cilk2chan::host_code {

/// Rewrites a C++ loop: its body becomes a lambda.
void rewrite_loop_cxx(rewriting& out, const loop_site& site, const loop_form& form);

/// Rewrites the loops of a C file: their bodies become functions. Clears `lowered` of the loops
/// that have to stay serial.
void rewrite_loops_c(rewriting& out, const std::map<loop_site*, loop_form>& forms);

/// Rewrites a spawned block of a C++ file: it becomes a lambda. Clears `lowered` if the block has
/// to stay where it is.
void rewrite_block_cxx(rewriting& out, loop_site& site);
/// Takes the keyword from a spawned block that runs where it stands.
void leave_block(rewriting& out, const loop_site& site);

/// With --races a loop's function is called for each iteration. Without a loop in it, nothing moves
/// out of the body to the loop's line; a `continue` ends it as before.
[[nodiscard]] std::string one_iteration(const std::string& body);

/// The condition of the loop, compared with a variable `limit`.
[[nodiscard]] std::string condition_of(const loop_form& form, const std::string& limit);
/// The text of the whole loop.
[[nodiscard]] text_range range_of(rewriting& out, const loop_site& site);
/// The text of the loop's body, with a semicolon that ends it.
[[nodiscard]] text_range body_range(rewriting& out, const loop_site& site);
/// The loop's initialisation, as a statement on one line.
[[nodiscard]] std::string initialisation(rewriting& out, const loop_site& site);

}  // namespace cilk2chan::host_code
