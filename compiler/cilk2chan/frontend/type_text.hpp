#pragma once

#include "frontend/program.hpp"

#include <string>

namespace cilk2chan {

/// `type` as C++ spells it, without const, declaring `name` if there is one.
[[nodiscard]] std::string type_text(const program& source, clang::QualType type,
                                    const std::string& name = {});

/// `name`, as Clang prints it, without the unnamed namespaces in it, which no text can name.
[[nodiscard]] std::string without_unnamed(std::string name);

/// `text`, the text of `value`, as it initialises a `to` inside braces: with a cast where C++ would
/// refuse a narrowing conversion.
[[nodiscard]] std::string without_narrowing(const program& source, const clang::Expr* value,
                                            clang::QualType to, std::string text);

}  // namespace cilk2chan
