#pragma once

#include "diagnostics/refusals.hpp"
#include "frontend/loop_task.hpp"  // loop_form
#include "frontend/spelling.hpp"   // written

#include <functional>
#include <optional>

namespace cilk2chan {

/// Reports why a loop cannot be counted: where, the refusal, and the name of the loop's variable.
using loop_refusal =
    std::function<void(clang::SourceLocation, const refusal&, const std::string& name)>;

/// How the loop counts. Calls `refused` and returns nothing if it cannot be counted.
[[nodiscard]] std::optional<loop_form> find_form(const clang::ASTContext& context,
                                                 const clang::ForStmt* loop,
                                                 const loop_refusal& refused);

/// Whether the loop runs for the limit itself: `<=` and `>=`.
[[nodiscard]] bool is_inclusive(const loop_form& form);

}  // namespace cilk2chan
