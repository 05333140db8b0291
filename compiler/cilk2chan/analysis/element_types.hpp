#pragma once

#include <clang/AST/Type.h>

namespace cilk2chan {

/// Whether an object can be made of nothing, by a constructor that is not deleted. Private ones
/// count: access is not checked where tasks are compiled.
[[nodiscard]] bool has_default_constructor(clang::QualType type);

}  // namespace cilk2chan
