#pragma once

#include "diagnostics/refusals.hpp"
#include "frontend/loop_task.hpp"  // loop_form
#include "frontend/spelling.hpp"   // written

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// Reports why a loop cannot be counted: where, the refusal, and the name of the loop's variable.
using loop_refusal =
    std::function<void(clang::SourceLocation, const refusal&, const std::string& name)>;

/// How the loop counts. Calls `refused` and returns nothing if it cannot be counted.
[[nodiscard]] std::optional<loop_form> find_form(const clang::ASTContext& context,
                                                 const clang::ForStmt* loop,
                                                 const loop_refusal& refused);

/// The same, for callers that do not ask why not.
[[nodiscard]] std::optional<loop_form> find_form(const clang::ASTContext& context,
                                                 const clang::ForStmt* loop);

/// Whether the limit of a loop that counts is written there, as a constant.
[[nodiscard]] bool has_fixed_limit(const clang::ASTContext& context, const clang::ForStmt* loop);

/// The statements of a loop's body: those of a block, or the one that it is.
[[nodiscard]] std::vector<clang::Stmt*> statements_of(const clang::Stmt* body);

/// The value at which a loop with that form begins; null where an object is assigned.
[[nodiscard]] const clang::Expr* first_value(const clang::ForStmt* loop, const loop_form& form);

/// Whether the loop runs for the limit itself: `<=` and `>=`.
[[nodiscard]] bool is_inclusive(const loop_form& form);

/// The number of iterations, as an expression. `distance`: a variable that has how far the limit is
/// from the beginning, in the loop's direction; `step`: one that has what an iteration adds.
[[nodiscard]] std::string iterations(const loop_form& form, const std::string& distance,
                                     const std::string& step);

}  // namespace cilk2chan
