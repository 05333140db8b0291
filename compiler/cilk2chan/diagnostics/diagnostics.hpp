#pragma once

#include "diagnostics/refusals.hpp"  // refusal
#include "frontend/unit.hpp"

namespace cilk2chan::host_code {

/// Reports an error and a note at a place in the source.
void refuse(const unit& source, clang::SourceLocation where, const refusal& why,
            llvm::StringRef name = {});
void refuse(const unit& source, unsigned offset, const refusal& why, llvm::StringRef name = {});

/// Reports a remark: accepted, but it will run serially. `reason` says why.
void warn_serial(const unit& source, clang::SourceLocation where, llvm::StringRef what,
                 llvm::StringRef reason);

namespace refusals {

// Keywords in places where they have no meaning.
inline constexpr refusal spawn_without_call = {
    "'cilk_spawn' does not stand before a call",
    "write 'cilk_spawn f(...)': what is spawned is the call of a function"};
inline constexpr refusal scope_without_statement = {
    "'cilk_scope' does not stand before a statement", "write 'cilk_scope { ... }'"};

// Where spawns and loops cannot be.
inline constexpr refusal constexpr_function = {
    "'%0' spawns and is 'constexpr'", "leave out 'constexpr': children run when the program runs"};
inline constexpr refusal coroutine = {"a coroutine cannot spawn",
                                      "spawn in an ordinary function, which the coroutine calls"};
inline constexpr refusal set_jump = {
    "'%0' in a function that spawns, or that calls one that does: a jump back would leave children "
    "behind",
    "return a status instead, or spawn in functions that are not called from here"};
inline constexpr refusal long_jump = {
    "'%0' in a function that spawns: the jump would leave children behind",
    "return a status instead, or call 'cilk_sync' and jump in a function that does not spawn"};
inline constexpr refusal jump_into = {"a jump into a '%0', around its beginning",
                                      "put the label outside, or the whole of the jump inside"};

// cilk_for.
inline constexpr refusal loop_break = {
    "'break' leaves a 'cilk_for', whose iterations run in parallel",
    "use 'continue' and a flag, or an ordinary 'for'"};
inline constexpr refusal loop_return = {
    "'return' leaves a 'cilk_for', whose iterations run in parallel",
    "store the result, and return after the loop; or use an ordinary 'for'"};
inline constexpr refusal loop_goto = {
    "'goto' leaves a 'cilk_for', whose iterations run in parallel",
    "use 'continue' and a flag, or an ordinary 'for'"};
inline constexpr refusal range_loop = {
    "'cilk_for' over a range is not supported",
    "loop over an index or an iterator: 'cilk_for (auto it = r.begin(); it != r.end(); ++it)'"};
inline constexpr refusal loop_variable = {
    "a 'cilk_for' needs one control variable, which its first part initialises",
    "write 'cilk_for (int i = 0; i < n; i++)'"};
inline constexpr refusal loop_variable_type = {
    "the control variable '%0' of a 'cilk_for' is neither an integer, a pointer nor a "
    "random-access iterator",
    "count with an integer, and compute '%0' from it in the body"};
inline constexpr refusal loop_condition = {
    "the condition of this 'cilk_for' does not compare '%0' with a limit",
    "write '%0 < limit', or <=, >, >= or != instead of <"};
inline constexpr refusal loop_step = {"this 'cilk_for' does not step '%0' by a fixed amount",
                                      "write '%0++', '%0--', '%0 += step' or '%0 -= step'"};
inline constexpr refusal loop_direction = {"this 'cilk_for' steps '%0' away from its limit",
                                           "turn the comparison or the step around"};
inline constexpr refusal loop_modified = {
    "the body of this 'cilk_for' changes '%0', its control variable",
    "use a variable of the body's own"};

// Reducers.
inline constexpr refusal reducer_arguments = {
    "'cilk_reducer' wants two functions, which make an identity and reduce two values to one",
    "write 'T cilk_reducer(identity, reduce) name = value;'"};
inline constexpr refusal reducer_place = {
    "'cilk_reducer' belongs to the type of a variable or a member, and not to that of '%0'",
    "declare the reducer itself as a variable; pass a pointer to what holds it"};

}  // namespace refusals

}  // namespace cilk2chan::host_code
