#pragma once

#include "frontend/program.hpp"

#include <clang/AST/Stmt.h>

#include <functional>
#include <map>
#include <string>

namespace cilk2chan {

/// Copies code of the tree for a place where some of its variables are others. What names none of
/// these is not copied. Only plain code can be copied: declarations of numbers, pointers and arrays
/// of them, `for`, `if`, and expressions of C.
class tree_copy {
 public:
  /// `prefix`: of the names of the copies of variables that the code declares.
  tree_copy(const program& source, std::string prefix)
      : source_(source), context_(*source.context), prefix_(std::move(prefix)) {}

  /// What stands in the place of an expression that names one of the variables; null: its copy.
  std::function<clang::Expr*(clang::Expr*)> instead;

  /// Whether all could be copied so far.
  [[nodiscard]] bool is_complete() const { return complete_; }

  /// From now on a new variable, with that value, stands for `from`.
  clang::VarDecl* variable(const clang::VarDecl* from, clang::Expr* value);
  /// Code that names `one` cannot be copied, unless something stands in its place.
  void note(const clang::VarDecl* one) { names_[one] = nullptr; }

  [[nodiscard]] clang::Stmt* statement(const clang::Stmt* code);
  [[nodiscard]] clang::Expr* expression(const clang::Expr* from);

 private:
  std::nullptr_t no() {
    complete_ = false;
    return nullptr;
  }
  clang::Stmt* declare(const clang::DeclStmt* declares);
  [[nodiscard]] bool names_variable(clang::Expr* value) const;
  clang::Expr* copy(clang::Expr* value);
  clang::Expr* copy_cast(clang::CastExpr* cast);
  clang::Expr* copy_call(clang::CallExpr* call);

  const program& source_;
  clang::ASTContext& context_;
  std::string prefix_;
  std::map<const clang::VarDecl*, clang::VarDecl*> names_;
  bool complete_ = true;
};

/// Writes code anew around the statements for which others stand. What has none in it stays as it
/// is.
class tree_rewriter {
 public:
  explicit tree_rewriter(clang::ASTContext& context) : context_(context) {}
  virtual ~tree_rewriter() = default;

  [[nodiscard]] clang::Stmt* rewritten(clang::Stmt* code);

 protected:
  /// What stands for a loop in which all is done, or for any other statement that is no list and no
  /// branch; null: itself.
  virtual clang::Stmt* instead_of(clang::Stmt* code) = 0;
  /// Whether the statement at hand is in a loop.
  [[nodiscard]] bool is_in_loop() const { return loops_ != 0; }

  clang::ASTContext& context_;

 private:
  clang::Stmt* with_inside(clang::Stmt* code);
  clang::Stmt* inside_of_loop(clang::Stmt* body);

  unsigned loops_ = 0;
};

/// A statement that declares the variable.
[[nodiscard]] clang::Stmt* declaration_of(clang::ASTContext& context, clang::VarDecl* variable);

}  // namespace cilk2chan
