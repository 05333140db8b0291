#pragma once

#include "analysis/loop_forms.hpp"
#include "host_code/rewriting.hpp"

namespace cilk2chan::host_code {

/// Writes a loop of C++ with a lambda.
void rewrite_loop_cxx(rewriting& out, const loop_site& site, const loop_form& form);

/// Loops of one C file, whose bodies become functions; clears `lowered` of those that have to stay
/// serial.
void rewrite_loops_c(rewriting& out, const std::map<loop_site*, loop_form>& forms);

/// The condition, with the limit under another name.
[[nodiscard]] std::string condition_of(const loop_form& form, const std::string& limit);
[[nodiscard]] text_range range_of(rewriting& out, const loop_site& site);
[[nodiscard]] text_range body_range(rewriting& out, const loop_site& site);
/// The first part of the loop, as a statement on one line.
[[nodiscard]] std::string initialisation(rewriting& out, const loop_site& site);

}  // namespace cilk2chan::host_code
