#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cilk2chan {

/// What a virtual call does for objects of one class.
struct virtual_target {
  const clang::CXXRecordDecl* object = nullptr;  // the class of the whole object
  const clang::CXXMethodDecl* method = nullptr;  // what is called
  std::uint64_t table = 0;  // bytes from the class's table to where an object's pointer leads
};

/// The method, as the call names it, of a call that looks at the object to find what it calls; null
/// for other calls.
[[nodiscard]] const clang::CXXMethodDecl* virtual_callee(const clang::CallExpr* call);
/// What such a call surely calls, because the object or the class is known; null if it is not.
[[nodiscard]] const clang::CXXMethodDecl* sure_target(const clang::CallExpr* call);

/// The classes with virtual functions that a file defines.
class virtual_targets {
 public:
  explicit virtual_targets(clang::ASTContext& context);

  /// For each class that is not abstract, whose objects a call of `method` may find.
  [[nodiscard]] std::vector<virtual_target> of(const clang::CXXMethodDecl* method) const;
  /// Whether objects of another class of the file may be found, whose table cannot be known: it has
  /// the method's class as a virtual base, or more than once.
  [[nodiscard]] bool may_find_others(const clang::CXXMethodDecl* method) const;
  /// Methods that override this one, or that it overrides, and so on, with this one.
  [[nodiscard]] llvm::SetVector<const clang::CXXMethodDecl*> family_of(
      const clang::CXXMethodDecl* method) const;

 private:
  friend class class_finder;
  clang::ASTContext& context_;
  std::vector<const clang::CXXRecordDecl*> classes_;  // in the order of the source
};

/// The symbol of the table of a class's virtual functions.
[[nodiscard]] std::string table_symbol(clang::ASTContext& context,
                                       const clang::CXXRecordDecl* object);

}  // namespace cilk2chan
