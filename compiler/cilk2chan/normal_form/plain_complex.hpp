#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <string>

namespace cilk2chan {

class plain_expressions;

/// Prints what is done with complex numbers of C as calls of
/// channels/device_library/complex_functions.h: `a * b` becomes `channels_complex_times(a, b)`.
/// nvcc makes no code for the compiler's own operations.
class plain_complex {
 public:
  /// What the names of these functions begin with.
  static constexpr const char* prefix = "channels_complex_";

  explicit plain_complex(clang::ASTContext& context) : context_(&context) {}

  /// Prints a value in which complex numbers are calculated with. Returns false for all others.
  bool print(plain_expressions& in, const clang::Expr* value, llvm::raw_ostream& out);
  /// What a compound assignment stores at the place `at`, if `by` is the value of its right side,
  /// of type `type`. Empty if it has nothing to do with complex numbers.
  std::string sum(plain_expressions& in, const clang::CompoundAssignOperator* whole,
                  const std::string& at, const std::string& by, clang::QualType type) const;

 private:
  struct operand {
    std::string text;
    bool real = false;
  };

  std::string function(plain_expressions& in, llvm::StringRef name, clang::QualType type) const;
  operand as_operand(plain_expressions& in, const std::string& text, clang::QualType from,
                     clang::QualType to) const;
  std::string operation(plain_expressions& in, const clang::BinaryOperator* whole,
                        const operand& left, const operand& right, clang::QualType type,
                        bool in_place = false) const;
  std::string cast(plain_expressions& in, const std::string& text, clang::QualType from,
                   clang::QualType to) const;
  bool is_condition(const clang::Expr* value) const;
  bool print_operation(plain_expressions& in, const clang::BinaryOperator* value,
                       llvm::raw_ostream& out) const;
  bool print_operation(plain_expressions& in, const clang::UnaryOperator* value,
                       llvm::raw_ostream& out) const;
  bool print_cast(plain_expressions& in, const clang::CastExpr* cast, llvm::raw_ostream& out) const;
  bool print_call(plain_expressions& in, const clang::CallExpr* call, llvm::raw_ostream& out) const;
  bool print_list(plain_expressions& in, const clang::InitListExpr* list,
                  llvm::raw_ostream& out) const;

  clang::ASTContext* context_;
  const clang::Expr* asked_ = nullptr;  // a condition whose number is being printed
};

}  // namespace cilk2chan
