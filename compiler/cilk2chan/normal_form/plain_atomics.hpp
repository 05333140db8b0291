#pragma once

#include <clang/AST/DeclCXX.h>

#include <string>
#include <vector>

namespace cilk2chan {

/// The type of the value, if the method is a member of a `std::atomic` of integers; else null.
[[nodiscard]] clang::QualType atomic_value_type(const clang::CXXMethodDecl* method);

/// A call of such a member as the compiler's own operation: the standard library's code is not for
/// devices. Empty where there is none. `address`: of the value; `arguments`: of the call.
[[nodiscard]] std::string atomic_operation(const clang::CXXMethodDecl* method,
                                           const std::string& address,
                                           const std::vector<std::string>& arguments);

}  // namespace cilk2chan
