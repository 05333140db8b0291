#pragma once

#include "frontend/parsed_file.hpp"
#include "frontend/spelling.hpp"  // written

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <deque>

namespace cilk2chan::host_code {

enum class region_kind { outside, function, lambda, scope, try_block, loop, block };

/// A part of the program that joins its children when control leaves it.
struct region {
  region_kind kind = region_kind::outside;
  region* outer = nullptr;
  const clang::Stmt* body = nullptr;
  const clang::FunctionDecl* function = nullptr;
  std::string frame;  // the name of its frame; empty if it has none
  /// Declarations whose variables have destructors: in the body's own block, and in inner blocks.
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
  const clang::Expr* whole = nullptr;  // the spawn, or the assignment around it: this is replaced
  const clang::Expr* place = nullptr;  // the left side of the assignment
  const clang::Expr* value = nullptr;  // the right side: the spawn, and casts around it
  std::string assignment;              // the operator: `=`, `+=`
  const clang::VarDecl* variable = nullptr;    // the variable that a declaration sets
  const clang::DeclStmt* statement = nullptr;  // that declaration
  bool unread = false;                         // the result's variable dies before the next sync
  bool returned = false;                       // a `return` statement returns the result
  bool operand = false;                        // is part of an expression: needs parentheses
};

/// A `return` that leaves inner blocks.
struct return_site {
  const clang::ReturnStmt* node = nullptr;
  /// Declarations there whose variables end before the frame of their region does: of each region
  /// the last. Children may use the variables, and are joined by the implicit sync of the return.
  std::vector<const clang::DeclStmt*> leaves;
};

struct sync_site {
  const clang::Stmt* node = nullptr;
  region* where = nullptr;
};

/// One `cilk_for`, or one block that is spawned: a loop of one iteration that nobody waits for.
struct loop_site {
  const clang::ForStmt* node = nullptr;
  region* where = nullptr;
  region* body = nullptr;
  std::string grain;
  bool lowered = false;  // false: it stays a serial loop, or a block
  bool spawned = false;  // it is a block that is spawned
};

struct scope_site {
  unsigned keyword = 0;  // offset of `cilk_scope`
  region* body = nullptr;
};

/// All spawns, syncs, loops and scopes of a file, in the order of the source.
struct place_list {
  std::deque<region> regions;
  std::deque<spawn_site> spawns;
  std::vector<sync_site> syncs;
  std::vector<return_site> returns;
  std::deque<loop_site> loops;
  std::vector<scope_site> scopes;
  /// Arms of conditional expressions that have a spawn in one arm and whose value is not used.
  std::vector<const clang::Expr*> void_arms;
};

/// Finds all places of a file, and refuses keywords where they have no meaning.
[[nodiscard]] place_list find_places(parsed_file& source);

}  // namespace cilk2chan::host_code
