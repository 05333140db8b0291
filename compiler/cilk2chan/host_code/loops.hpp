#pragma once

#include "diagnostics/refusals.hpp"
#include "host_code/rewriting.hpp"

#include <functional>

namespace cilk2chan::host_code {

/// What a `cilk_for` counts.
struct loop_form {
  const clang::VarDecl* variable = nullptr;
  bool declared = false;                                // by the loop itself
  clang::BinaryOperatorKind comparison = clang::BO_LT;  // variable against limit
  const clang::Expr* limit = nullptr;
  const clang::Expr* step = nullptr;  // none: 1
  bool subtracts = false;             // the step
  bool down = false;                  // towards smaller values
};

/// Told why a loop cannot be counted: where, and the name of its variable.
using loop_refusal =
    std::function<void(clang::SourceLocation, const refusal&, const std::string& name)>;

/// How the loop counts, or nothing if it was refused.
[[nodiscard]] std::optional<loop_form> find_form(const clang::ASTContext& context,
                                                 const clang::ForStmt* loop,
                                                 const loop_refusal& refused);

/// Writes a loop of C++ with a lambda.
void rewrite_loop_cxx(rewriting& out, const loop_site& site, const loop_form& form);

/// Loops of one C file, whose bodies become functions; clears `lowered` of those that have to stay
/// serial.
void rewrite_loops_c(rewriting& out, const std::map<loop_site*, loop_form>& forms);

[[nodiscard]] bool is_inclusive(const loop_form& form);
/// The condition, with the limit under another name.
[[nodiscard]] std::string condition_of(const loop_form& form, const std::string& limit);
[[nodiscard]] text_range range_of(rewriting& out, const loop_site& site);
[[nodiscard]] text_range body_range(rewriting& out, const loop_site& site);
/// The first part of the loop, as a statement on one line.
[[nodiscard]] std::string initialisation(rewriting& out, const loop_site& site);

}  // namespace cilk2chan::host_code
