#pragma once

#include "normal_form/normal_form.hpp"

namespace cilk2chan {

/// What a text needs, at its begin, that has guards in templates. They ask it which of its
/// instances a template is, and which closure that got: the compiler's name of a closure's type
/// ends with its place. `name`: of the file; `id`: that of `plain_forms`.
[[nodiscard]] std::string texts_of_guards(const std::string& name, const std::string& id);

/// Whether host code can tell the function from the other instances of its template, if it is one.
[[nodiscard]] bool can_be_told(const parsed_file& source, const clang::FunctionDecl* function);

/// Adds what calls the plain form's entry, at the start of its function, if the program runs as
/// tasks. Returns why host code cannot do that, if it cannot.
[[nodiscard]] std::string write_guard(parsed_file& source, const clang::FunctionDecl* function,
                                      const std::string& id, plain_form& form);

/// As `write_guard`, around a region of `function`, whose plain form has the name and the head.
[[nodiscard]] std::string write_region_guard(parsed_file& source,
                                             const clang::FunctionDecl* function,
                                             const parallel_region& region, const std::string& id,
                                             plain_form& form);

}  // namespace cilk2chan
