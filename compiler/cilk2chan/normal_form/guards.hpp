#pragma once

#include "normal_form/normal_form.hpp"

namespace cilk2chan {

/// What a text needs, at its begin, that has guards in templates. They ask it which of its
/// instances a template is, and which closure that got: the compiler's name of a closure's type
/// ends with its place. `name`: of the file; `id`: that of `plain_forms`.
[[nodiscard]] std::string texts_of_guards(const std::string& name, const std::string& id);

/// Adds what calls the plain form's entry, at the start of its function, if the program runs as
/// tasks. Returns false if there is no place for it.
[[nodiscard]] bool write_guard(parsed_file& source, const clang::FunctionDecl* function,
                               const std::string& id, plain_form& form);

/// The head of a branch that is taken if the program runs as tasks.
[[nodiscard]] std::string test_of_order(const std::string& form, bool has_reducers);

/// The name of a form's entry.
[[nodiscard]] std::string entry_of(const std::string& form);
/// What declares the entry, behind its head.
[[nodiscard]] std::string entry_label(const std::string& form);

}  // namespace cilk2chan
