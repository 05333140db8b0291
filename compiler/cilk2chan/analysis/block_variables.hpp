#pragma once

#include "frontend/tree_walker.hpp"

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <utility>
#include <vector>

namespace cilk2chan {

/// `constant`: C++ binds a reference to it that does not change it.
enum class variable_use { read, decayed, constant, other };

/// Finds how variables are used in a part of a function.
class variable_uses_finder : public tree_walker {
 public:
  explicit variable_uses_finder(const clang::Stmt* part) { look_through(part); }

  std::vector<std::pair<const clang::DeclRefExpr*, variable_use>> names;
  std::vector<const clang::NamedDecl*> types;
  llvm::DenseSet<const clang::Decl*> declared;

  /// It looks at the statement of a directive of OpenMP, and not at the clauses.
  bool TraverseStmt(clang::Stmt* node) override;
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* node) override;
  bool VisitBinaryOperator(clang::BinaryOperator* node) override;
  bool VisitUnaryOperator(clang::UnaryOperator* node) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr* node) override;
  bool TraverseVariableArrayTypeLoc(clang::VariableArrayTypeLoc type) override;
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc node) override;
  bool VisitTagTypeLoc(clang::TagTypeLoc node) override;
  bool VisitDecl(clang::Decl* node) override;
  [[nodiscard]] bool is_written(const clang::Expr* node) const { return written_.contains(node); }

 private:
  unsigned in_size_ = 0;  // of an array
  llvm::DenseMap<const clang::Expr*, variable_use> uses_;
  llvm::DenseSet<const clang::Expr*> written_;
};

/// The variables that may be used through a pointer or a reference somewhere in the function.
[[nodiscard]] llvm::DenseSet<const clang::VarDecl*> shared_variables(const clang::Stmt* function);

/// A block that is spawned does not copy what is larger (bytes), if it can share it.
inline constexpr long largest_usual_copy = 64;

/// A variable of a function that a block in it uses.
struct block_variable {
  const clang::VarDecl* variable = nullptr;
  bool copied = false;   // as it is at the spawn, because the block only reads it
  bool decayed = false;  // an array of which only elements are used
};

/// What a block that is spawned uses of its function, in the order of its text: copies of what it
/// only reads, all else by its place. `ends_early` says whether a variable may end before the block
/// is joined.
[[nodiscard]] std::vector<block_variable> variables_of_block(
    const clang::ASTContext& context, const clang::Stmt* block, const clang::Stmt* function,
    llvm::function_ref<bool(const clang::VarDecl*)> ends_early);

}  // namespace cilk2chan
