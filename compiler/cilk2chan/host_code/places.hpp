#pragma once

#include "frontend/parsed_file.hpp"
#include "frontend/spelling.hpp"  // written

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <deque>

namespace cilk2chan::host_code {

enum class region_kind { outside, function, lambda, scope, try_block, loop };

/// A part of the program that joins its children when it is left.
struct region {
  region_kind kind = region_kind::outside;
  region* outer = nullptr;
  const clang::Stmt* body = nullptr;
  const clang::FunctionDecl* function = nullptr;
  std::string frame;  // the name of its frame, if it has one
  /// Declarations whose variables have destructors: in the body's own block, and in blocks inside
  /// of it.
  std::vector<const clang::DeclStmt*> destroyed;
  std::vector<const clang::DeclStmt*> destroyed_inside;
};

enum class spawn_form { plain, dropped, assigned, compound, declared };

/// One `cilk_spawn`.
struct spawn_site {
  const clang::UnaryOperator* node = nullptr;
  const clang::CallExpr* call = nullptr;
  region* where = nullptr;
  spawn_form form = spawn_form::plain;
  const clang::Expr* whole = nullptr;  // what is replaced: the spawn, or the assignment around it
  const clang::Expr* place = nullptr;  // what is assigned to
  const clang::Expr* value = nullptr;  // what is assigned: the spawn, and casts around it
  std::string assignment;              // the operator: `=`, `+=`
  const clang::VarDecl* variable = nullptr;    // what is declared
  const clang::DeclStmt* statement = nullptr;  // where
  bool unread = false;                         // the result's variable dies before the next sync
  bool returned = false;                       // by a `return` of its own
  bool operand = false;                        // part of an expression: needs parentheses
};

struct sync_site {
  const clang::Stmt* node = nullptr;
  region* where = nullptr;
};

/// One `cilk_for`.
struct loop_site {
  const clang::ForStmt* node = nullptr;
  region* where = nullptr;
  region* body = nullptr;
  std::string grain;
  bool lowered = false;  // otherwise it is the serial loop
};

struct scope_site {
  unsigned keyword = 0;  // offset
  region* body = nullptr;
};

/// All that is Cilk in a file, in the order of the source.
struct place_list {
  std::deque<region> regions;
  std::deque<spawn_site> spawns;
  std::vector<sync_site> syncs;
  std::deque<loop_site> loops;
  std::vector<scope_site> scopes;
  /// Arms of conditional expressions with a spawn in one of them, whose value is not used.
  std::vector<const clang::Expr*> void_arms;
};

/// Finds them, and refuses what stands where it has no meaning.
[[nodiscard]] place_list find_places(parsed_file& source);

}  // namespace cilk2chan::host_code
