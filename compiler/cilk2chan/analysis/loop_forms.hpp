#pragma once

#include "diagnostics/refusals.hpp"
#include "frontend/loop_task.hpp"  // loop_form
#include "frontend/spelling.hpp"   // written

#include <functional>
#include <optional>

namespace cilk2chan {

/// Told why a loop cannot be counted: where, and the name of its variable.
using loop_refusal =
    std::function<void(clang::SourceLocation, const refusal&, const std::string& name)>;

/// How the loop counts, or nothing if it was refused.
[[nodiscard]] std::optional<loop_form> find_form(const clang::ASTContext& context,
                                                 const clang::ForStmt* loop,
                                                 const loop_refusal& refused);

/// Whether the limit belongs to the loop: `<=` and `>=`.
[[nodiscard]] bool is_inclusive(const loop_form& form);

}  // namespace cilk2chan
