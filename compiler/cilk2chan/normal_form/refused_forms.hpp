#pragma once

#include "normal_form/normal_form.hpp"

namespace cilk2chan {

/// Whether a function that stays on the host belongs to a plain form: it is that, or a small
/// function that it needs.
[[nodiscard]] bool is_of_form(const staying_function& one, const plain_form& form);

/// Adds to `refused` why those of `forms` that have a reason are left out, and with them the forms
/// that call them.
void note_unwritten(const std::vector<plain_form>& forms, function_reasons& refused);
/// The same of those that are no tasks in `plan`.
void note_staying(const std::vector<plain_form>& forms, const task_plan& plan,
                  function_reasons& refused);
/// The same of those that do not compile: of these there are the compiler's messages.
void note_not_compiled(const std::vector<plain_form>& forms,
                       const std::vector<compiler_error>& errors, function_reasons& refused);

}  // namespace cilk2chan
