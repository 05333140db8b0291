#pragma once

#include "frontend/program.hpp"

#include <string>

namespace cilk2chan {

/// `type` as C++ spells it, without const, declaring `name` if there is one.
[[nodiscard]] std::string type_text(const program& source, clang::QualType type,
                                    const std::string& name = {});

/// The text of an argument or value that goes to a `to` inside braces, where C++ allows no
/// narrowing.
[[nodiscard]] std::string without_narrowing(const program& source, const clang::Expr* value,
                                            clang::QualType to, std::string text);

}  // namespace cilk2chan
