#pragma once

#include "openmp/file_changes.hpp"

#include <llvm/ADT/SetVector.h>

#include <string>

namespace cilk2chan::openmp {

/// The variables that a construct has of its own, as OpenMP's rules have it.
struct own_variables {
  llvm::SetVector<const clang::VarDecl*> first;  // with the value of the variable outside
  llvm::SetVector<const clang::VarDecl*> fresh;  // without a value
};

/// The variable that an item of a clause's list names; null if that is a member.
[[nodiscard]] const clang::VarDecl* variable_named(const clang::Expr* item);

/// Finds what the directive's clauses say, and what Clang has found without a clause.
[[nodiscard]] own_variables own_variables_of(file_changes& out,
                                             const clang::OMPExecutableDirective* directive);

/// Declarations that give a block variables of its own: `outside` stands before it, and `inside` at
/// its beginning.
struct copies {
  std::string outside;
  std::string inside;
  std::string of_iteration;  // what each iteration of a loop begins with besides
};

/// What a block needs besides itself: a block that is spawned has copies of what it only reads.
[[nodiscard]] copies copies_for(file_changes& out, const clang::FunctionDecl* function,
                                const clang::OMPExecutableDirective* directive,
                                const own_variables& own);

/// Whether copies of what is read make no difference to the statement: it only reads the values of
/// the variables that are its own.
[[nodiscard]] bool only_reads(const clang::Stmt* code, const own_variables& own);

/// The variables of the function that the statement does not copy, in the order of its text.
[[nodiscard]] std::vector<const clang::VarDecl*> shared_in(const file_changes& out,
                                                           const clang::FunctionDecl* function,
                                                           const clang::Stmt* code,
                                                           const own_variables& own);

}  // namespace cilk2chan::openmp
