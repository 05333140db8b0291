#pragma once

#include "analysis/call_targets.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

#include <memory>
#include <set>
#include <vector>

namespace cilk2chan {

using named_variables = llvm::SetVector<const clang::VarDecl*>;

/// The order in which the parser has made declarations: that of the source, and an instance of a
/// template where it is first used. That of pointers changes from run to run.
struct declared_before {
  bool operator()(const clang::Decl* a, const clang::Decl* b) const {
    return a == nullptr || b == nullptr ? a < b : a->getID() < b->getID();
  }
};
using function_list = std::set<const clang::FunctionDecl*, declared_before>;

/// What the definition of a function refers to outside of the function.
struct references {
  /// Functions that it calls or names, with constructors and destructors; canonical.
  llvm::SetVector<const clang::FunctionDecl*> functions;
  /// Those of these functions that it names without calling them.
  llvm::DenseSet<const clang::FunctionDecl*> addressed;
  /// Those that it calls by their names, or gives to functions of the library.
  llvm::DenseSet<const clang::FunctionDecl*> called;
  /// For devices (`call_targets`): calls through pointers, virtual ones, pointers that functions of
  /// the library call, and names of functions that are not called where they stand.
  std::vector<const clang::CallExpr*> pointer_calls;
  std::vector<const clang::CallExpr*> virtual_calls;  // unless their text says what they call
  std::vector<const clang::Expr*> called_by_library;
  std::vector<const clang::DeclRefExpr*> names;
  std::vector<const clang::CallExpr*> atomic_calls;  ///< of members of std::atomic
  std::vector<const clang::CallExpr*> shared_calls;  ///< that look into std::shared_ptr
  /// Variables of the file, of namespaces and of classes; canonical.
  named_variables variables;
  /// A variable of its own that outlives a call and can change.
  const clang::VarDecl* kept = nullptr;
  /// The first use of a reducer.
  clang::SourceLocation reducer;
  /// It has a pointer to an array of variable length, which C++ does not have.
  bool rows = false;
  /// It calculates with complex numbers of C.
  bool complex = false;
  /// The first name of a structured binding outside of functions.
  clang::SourceLocation binding;
};

/// Finds references, once for each function. Each instance of a template is a function of its own.
class reference_finder {
 public:
  reference_finder() = default;
  /// For devices: a function that is only named is not called, and a call through a pointer or a
  /// virtual one leads to all of its targets.
  explicit reference_finder(const call_targets& targets) : targets_(&targets) {}

  /// Empty for a function that has no definition here. Of one that a header of the system defines:
  /// what it calls of the program, for devices.
  [[nodiscard]] const references& of(const clang::FunctionDecl* function);
  /// The same for any declaration, with everything that is written in it.
  [[nodiscard]] static references in(const clang::Decl* declaration);
  /// The functions that a call of `function` can reach by names, with `function` itself.
  [[nodiscard]] llvm::SetVector<const clang::FunctionDecl*> reach(
      const clang::FunctionDecl* function);

 private:
  void find_targets(const clang::ASTContext& context, references& found) const;

  const call_targets* targets_ = nullptr;
  llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<references>> known_;
};

/// The function, or the template that it is an instance of, as the survey knows it.
[[nodiscard]] const clang::FunctionDecl* as_written(const clang::FunctionDecl* function);

/// The name of the function by which a GPU's wavefront runs this one, a leaf (channels/group.h);
/// empty if there is none.
[[nodiscard]] llvm::StringRef group_form_name(const clang::FunctionDecl* function);
/// That function, canonical; null if there is none of that name and type before the leaf.
[[nodiscard]] const clang::FunctionDecl* group_form(const clang::FunctionDecl* function);

/// Whether a variable is an object, or an array of objects, that never changes and is made of
/// numbers that the compiler knows.
[[nodiscard]] bool is_constant_object(const clang::ASTContext& context,
                                      const clang::VarDecl* variable);

/// Whether a variable never changes, and is of an arithmetic type or an array of such: then a copy
/// of it can take its place.
[[nodiscard]] bool is_constant(const clang::ASTContext& context, const clang::VarDecl* variable);

}  // namespace cilk2chan
