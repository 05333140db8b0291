#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cilk2chan {

class plain_expressions;

/// Prints what leads to elements of arrays of variable length. In a plain function such an array of
/// arrays is one row of elements, and a pointer to an array is one to its first element: `g[i][j]`
/// becomes `g[(long)(i) * columns + (j)]`. C++ has no such types, nor has a task's frame.
class plain_rows {
 public:
  explicit plain_rows(const clang::ASTContext& context) : context_(&context) {}

  /// From now on `length` is that of arrays whose type has this size.
  void keep(const clang::Expr* size, const std::string& length) { lengths_[size] = length; }
  /// What was kept, or nothing.
  [[nodiscard]] std::string length(const clang::Expr* size) const;
  void forget() { lengths_.clear(); }
  /// The sizes in a type that vary.
  [[nodiscard]] std::vector<const clang::Expr*> sizes(clang::QualType type) const;
  /// Whether the lengths in a type are known.
  [[nodiscard]] bool knows(clang::QualType type) const;
  /// The length of all arrays of variable length that an array has in it, itself among them, as
  /// factors with `*` between them.
  [[nodiscard]] std::string count(plain_expressions& in, clang::QualType array) const;

  /// The type of the elements of an array.
  [[nodiscard]] clang::QualType element(clang::QualType type) const;
  /// The part of a type that has its sizes, but a size of its own; null where they were evaluated
  /// somewhere else, as those of a name for a type.
  [[nodiscard]] clang::QualType next(clang::QualType type) const;

  /// Prints a value for whose text the types of plain functions make a difference. Returns false
  /// for all others.
  bool print(plain_expressions& in, const clang::Expr* value, llvm::raw_ostream& out);

 private:
  /// A place: `root`, a pointer to the first element, and how many things of the place's type are
  /// before it; empty: none.
  struct place {
    std::string root;
    std::string index;
  };

  [[nodiscard]] bool is_array(clang::QualType type) const;
  [[nodiscard]] bool is_pointer(clang::QualType type) const;
  [[nodiscard]] std::string length(plain_expressions& in, clang::QualType array) const;
  place array(plain_expressions& in, const clang::Expr* value);
  place pointer(plain_expressions& in, const clang::Expr* value);
  void add(plain_expressions& in, place& to, const clang::Expr* index, bool minus = false) const;
  [[nodiscard]] std::string flat(plain_expressions& in, const place& at,
                                 clang::QualType unit) const;
  bool print_operation(plain_expressions& in, const clang::BinaryOperator* value,
                       llvm::raw_ostream& out);
  bool print_operation(plain_expressions& in, const clang::UnaryOperator* value,
                       llvm::raw_ostream& out);
  bool print_cast(plain_expressions& in, const clang::CastExpr* cast, llvm::raw_ostream& out);
  bool print_size(plain_expressions& in, const clang::UnaryExprOrTypeTraitExpr* value,
                  llvm::raw_ostream& out);
  void is_written(plain_expressions& in, clang::QualType type);

  const clang::ASTContext* context_;
  std::map<const clang::Expr*, std::string> lengths_;
  std::set<const clang::Expr*> written_;  // sizes in types of casts and `sizeof`
};

}  // namespace cilk2chan
