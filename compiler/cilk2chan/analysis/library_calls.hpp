#pragma once

#include "frontend/tree_walker.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseSet.h>

namespace cilk2chan {

/// What the lock of a `critical` is called, with the name of the `critical` behind it.
inline constexpr const char* critical_lock = "channels_omp_critical_";

/// Whether Clang names a function with a size, such as `__sync_fetch_and_add_4`, which the program
/// does not write and nvcc does not have.
[[nodiscard]] bool has_sized_name(const clang::FunctionDecl* function);
/// The name of a function as a program writes it.
[[nodiscard]] std::string written_name(const clang::FunctionDecl* function);

/// Whether a function is declared in a header of the system.
[[nodiscard]] bool is_in_library(const clang::ASTContext& context,
                                 const clang::FunctionDecl* function);

/// Walks through what functions of the library do on a device, where `if
/// (std::is_constant_evaluated())` is true. A finder says through which functions it walks.
class library_walker : public tree_walker {
 public:
  explicit library_walker(const clang::ASTContext& context) : context_(context) {}

  /// `function` is called: walks through it, if the finder enters it.
  void follow(const clang::FunctionDecl* function);

  [[nodiscard]] bool shouldVisitImplicitCode() const override { return true; }
  bool TraverseIfStmt(clang::IfStmt* branch) override;
  bool TraverseCompoundStmt(clang::CompoundStmt* block) override;
  bool TraverseConditionalOperator(clang::ConditionalOperator* choice) override;
  // What is not evaluated.
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) override { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr*) override { return true; }
  bool VisitCallExpr(clang::CallExpr* call) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override;
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* ended) override;
  bool VisitVarDecl(clang::VarDecl* variable) override;

 protected:
  /// Called once for each function that is called: whether to walk through its definition.
  virtual bool enters(const clang::FunctionDecl* function) = 0;
  [[nodiscard]] const clang::ASTContext& context() const { return context_; }

 private:
  // What ends an object of that type.
  void follow_end(clang::QualType type);

  const clang::ASTContext& context_;
  llvm::DenseSet<const clang::FunctionDecl*> seen_;
};

}  // namespace cilk2chan
