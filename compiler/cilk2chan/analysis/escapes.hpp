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

/// What a file does with a variable, by its name and through pointers to it.
struct variable_uses {
  /// Where the analysis loses a pointer or reference to it; nothing if it never does.
  std::optional<clang::SourceLocation> escapes;
  /// Functions that may change it, and that use it atomically; canonical, null for what stands
  /// outside of functions.
  llvm::DenseSet<const clang::FunctionDecl*> changed_in;
  llvm::DenseSet<const clang::FunctionDecl*> atomic_in;
};

/// Escape analysis of a file. It ignores the order of statements. It follows pointers through local
/// variables, and through parameters of functions that are defined in the file. A pointer escapes
/// if it is stored anywhere else, returned, captured, or given to unknown code; or if host code
/// gives it to a task, which may run on another device; or if the analysis does not know the
/// expression.
class escape_analysis {
 public:
  explicit escape_analysis(const program& source);

  [[nodiscard]] variable_uses of(const clang::VarDecl* variable) const;
  /// All functions that the file and its own headers define, but not those of the system's headers;
  /// canonical.
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
  std::vector<std::string> symbol_texts_;  // of assembly and labels, which may name a symbol
};

}  // namespace cilk2chan
