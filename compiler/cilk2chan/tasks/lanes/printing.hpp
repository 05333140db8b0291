#pragma once

#include "frontend/program.hpp"

#include <clang/AST/Stmt.h>

#include <functional>
#include <string>

namespace cilk2chan {

/// What to write for the names in printed code. An empty text: the name as it is.
struct name_rules {
  std::function<std::string(const clang::VarDecl*)> variable;
  std::function<std::string(const clang::DeclRefExpr*)> callee;
  std::function<std::string(const clang::ForStmt*)> loop;  // in place of a whole loop
  std::function<std::string(const clang::Expr*)> place;    // in place of one in memory
};

/// Prints code out of the tree, as C++ for the file of the tasks: macros are expanded, and the
/// casts that C++ wants and C does not are written. A statement ends with its semicolon.
[[nodiscard]] std::string print(const program& source, const clang::Stmt* code,
                                const name_rules& rules = {});

/// The declaration of a local variable, with its initial value, without a semicolon.
[[nodiscard]] std::string print_declaration(const program& source, const clang::VarDecl* variable,
                                            const name_rules& rules);

/// A text that two expressions share only if they are the same, of the same variables.
[[nodiscard]] std::string key_of(const program& source, const clang::Expr* value);
[[nodiscard]] std::string key_of(const clang::VarDecl* variable);

}  // namespace cilk2chan
