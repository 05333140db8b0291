#pragma once

#include "frontend/program.hpp"

#include <clang/AST/Expr.h>

#include <cstdint>

namespace cilk2chan {

/// Makes expressions of numbers and pointers for code that is written anew.
class tree_builder {
 public:
  explicit tree_builder(const program& source)
      : context_(*source.context),
        assigned_(source.is_c() ? clang::VK_PRValue : clang::VK_LValue) {}

  /// From now on what is made is at that place of the source.
  void set_place(clang::SourceLocation where) { where_ = where; }

  [[nodiscard]] clang::VarDecl* local(const std::string& name, clang::QualType type,
                                      clang::Expr* value) const;
  [[nodiscard]] clang::Expr* name(const clang::VarDecl* variable) const;
  [[nodiscard]] clang::Expr* value_of(const clang::VarDecl* variable) const;
  [[nodiscard]] clang::Expr* literal(std::int64_t value, clang::QualType type) const;
  /// Of another integer type, without a word in the text, or with one.
  [[nodiscard]] clang::Expr* converted(clang::Expr* value, clang::QualType type) const;
  [[nodiscard]] clang::Expr* cast(clang::Expr* value, clang::QualType type) const;
  [[nodiscard]] clang::Expr* paren(clang::Expr* value) const;
  [[nodiscard]] clang::Expr* binary(clang::Expr* left, clang::BinaryOperatorKind how,
                                    clang::Expr* right, clang::QualType type) const;
  [[nodiscard]] clang::Expr* conditional(clang::Expr* test, clang::Expr* yes,
                                         clang::Expr* no) const;
  /// `pointer[index]`
  [[nodiscard]] clang::Expr* element(clang::Expr* pointer, const clang::VarDecl* index) const;
  [[nodiscard]] clang::Expr* assign(const clang::VarDecl* variable, clang::Expr* value) const;
  [[nodiscard]] clang::Expr* increment(const clang::VarDecl* variable) const;

 private:
  clang::ASTContext& context_;
  clang::ExprValueKind assigned_;
  clang::SourceLocation where_;
};

}  // namespace cilk2chan
