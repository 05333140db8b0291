#pragma once

#include "analysis/references.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringSet.h>

namespace cilk2chan {

/// What host code may call when a program runs as tasks: all that a file names elsewhere than in
/// tasks, and in functions that give way to their plain forms.
struct host_uses {
  llvm::DenseSet<const clang::FunctionDecl*> functions;  ///< canonical
  llvm::StringSet<> symbols;  ///< by which guards of plain forms name the entries of tasks
};

/// `tasks`: functions with a task form, canonical. `is_called_elsewhere`: whether other files may
/// call a function.
[[nodiscard]] host_uses find_host_uses(
    const clang::ASTContext& context, const llvm::DenseSet<const clang::FunctionDecl*>& tasks,
    reference_finder& finder,
    llvm::function_ref<bool(const clang::FunctionDecl*)> is_called_elsewhere);

}  // namespace cilk2chan
