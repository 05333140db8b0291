#pragma once

#include "analysis/virtual_targets.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>

#include <string>
#include <vector>

namespace cilk2chan {

/// The function that a value names, perhaps by `&` and in casts; null if it is another value. A
/// parameter of a template stands for its argument.
[[nodiscard]] const clang::FunctionDecl* named_function(const clang::Expr* value);
/// The name that does so.
[[nodiscard]] const clang::DeclRefExpr* name_of_function(const clang::Expr* value);

/// The type of the function that a call through a pointer calls, canonical and without `noexcept`;
/// null for other calls, and where the type says nothing of the arguments or takes any number.
[[nodiscard]] const clang::FunctionProtoType* type_called(const clang::ASTContext& context,
                                                          const clang::CallExpr* call);
/// The same for a value that is a pointer to a function.
[[nodiscard]] const clang::FunctionProtoType* type_pointed_to(const clang::ASTContext& context,
                                                              const clang::Expr* value);

/// Whether a header of the system declares the function. Such functions call those that they get,
/// and keep no pointer to them.
[[nodiscard]] bool is_of_library(const clang::ASTContext& context,
                                 const clang::FunctionDecl* callee);

/// Which functions of a file calls may lead to that name none: those whose address is taken
/// somewhere in the file, by their types, and virtual ones of its classes. A device calls only
/// those of them that can run there.
class call_targets {
 public:
  /// Why a virtual method is dropped that has a plain form: calls look for that first.
  static constexpr const char* called_as_task = "call it as a task";

  using function_list = std::vector<const clang::FunctionDecl*>;
  using type = const clang::FunctionProtoType*;

  explicit call_targets(clang::ASTContext& context);

  /// Drops the functions that cannot run on devices. `why_not`: what stands in the way, with its
  /// place; empty if nothing does. It may ask for the targets of calls.
  void choose(llvm::function_ref<std::string(const clang::FunctionDecl*)> why_not);
  /// The functions that a call through a pointer to such a function may lead to, in the order of
  /// the source.
  [[nodiscard]] const function_list& of(type called) const;
  /// What a virtual call may lead to.
  [[nodiscard]] std::vector<virtual_target> of(const clang::CXXMethodDecl* called) const;
  /// Whether it may lead elsewhere: to one that cannot be called, or that is not known.
  [[nodiscard]] bool misses_some(const clang::CXXMethodDecl* called) const;
  [[nodiscard]] const virtual_targets& classes() const { return virtual_; }
  /// A line for `--explain` for each of the functions.
  [[nodiscard]] std::string explanation() const;

 private:
  friend class target_finder;
  void list_candidates();
  bool drop_some(llvm::function_ref<std::string(const clang::FunctionDecl*)> why_not);

  llvm::MapVector<const clang::FunctionDecl*, llvm::SetVector<type>> addressed_;  // canonical
  llvm::DenseSet<type> called_;
  virtual_targets virtual_;
  llvm::SetVector<const clang::CXXMethodDecl*> called_virtually_;  // as calls name them
  llvm::SetVector<const clang::FunctionDecl*> candidates_;         // canonical
  llvm::DenseMap<const clang::FunctionDecl*, std::string> dropped_;
  llvm::DenseMap<type, function_list> by_type_;
};

}  // namespace cilk2chan
