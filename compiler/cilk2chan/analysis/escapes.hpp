#pragma once

#include "frontend/program.hpp"

#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// What a file does with a variable, through pointers that are known to lead to it, too.
struct variable_uses {
  /// Where a pointer or reference to it gets out of sight; nothing if none does.
  std::optional<clang::SourceLocation> escapes;
  /// Functions that may change it, and that use it atomically; canonical, null for what stands
  /// outside of functions.
  llvm::DenseSet<const clang::FunctionDecl*> changed_in;
  llvm::DenseSet<const clang::FunctionDecl*> atomic_in;
};

/// Escape analysis of a file, insensitive to the order of statements: pointers are followed through
/// local variables and parameters of functions that are defined in it. One that is stored anywhere
/// else, returned, captured or given to unknown code escapes; and so does one that host code gives
/// to a task, which may run on another device. What is not understood is an escape.
class escape_analysis {
 public:
  explicit escape_analysis(const program& source);

  [[nodiscard]] variable_uses of(const clang::VarDecl* variable) const;
  /// All functions of the file, headers of the system left out; canonical.
  [[nodiscard]] const llvm::SetVector<const clang::FunctionDecl*>& functions() const {
    return functions_;
  }

 private:
  friend class escape_finder;

  struct facts {
    variable_uses own;
    llvm::SetVector<const clang::VarDecl*> pointers;  // that may lead to it
  };
  llvm::DenseMap<const clang::VarDecl*, facts> facts_;  // of canonical declarations
  llvm::SetVector<const clang::FunctionDecl*> functions_;
  std::vector<std::string> symbol_texts_;  // assembly and labels, in which a symbol may be named
};

}  // namespace cilk2chan
