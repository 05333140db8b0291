#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <vector>

namespace cilk2chan {

/// nvcc takes constexpr functions of the library for the device's only where they are constexpr: a
/// template is not if its instance has a variable of a class that is not literal, or makes an
/// object by a constructor that is not constexpr. So constructors and destructors of the program's
/// classes become constexpr in the text for devices, as far as they may be.

/// The functions that become constexpr with a constructor or destructor of the program: itself and
/// what it calls. Empty if it is constexpr without that, or cannot be.
[[nodiscard]] std::vector<const clang::FunctionDecl*> that_become_constant(
    const clang::ASTContext& context, const clang::FunctionDecl* function);

/// Whether a type is literal in the text for devices.
[[nodiscard]] bool is_literal_on_devices(const clang::ASTContext& context, clang::QualType type);

}  // namespace cilk2chan
