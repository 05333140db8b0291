#pragma once

#include "frontend/program.hpp"

#include <string>

namespace cilk2chan {

/// `type` as C++ spells it, without const, declaring `name` if there is one.
[[nodiscard]] std::string type_text(const program& source, clang::QualType type,
                                    const std::string& name = {});

/// `text`, the text of `value`, as it initialises a `to` inside braces: with a cast where C++ would
/// refuse a narrowing conversion.
[[nodiscard]] std::string without_narrowing(const program& source, const clang::Expr* value,
                                            clang::QualType to, std::string text);

}  // namespace cilk2chan
