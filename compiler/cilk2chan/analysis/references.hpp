#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

#include <memory>

namespace cilk2chan {

using named_variables = llvm::SetVector<const clang::VarDecl*>;

/// What the definition of a function refers to outside of the function.
struct references {
  /// Functions that it calls or names, with constructors and destructors; canonical.
  llvm::SetVector<const clang::FunctionDecl*> functions;
  /// Those of these functions that it names without calling them.
  llvm::DenseSet<const clang::FunctionDecl*> addressed;
  /// Variables of the file, of namespaces and of classes; canonical.
  named_variables variables;
  /// A variable of its own that outlives a call and can change.
  const clang::VarDecl* kept = nullptr;
  /// The first use of a reducer.
  clang::SourceLocation reducer;
  /// The first name of a structured binding outside of functions.
  clang::SourceLocation binding;
};

/// Finds references, once for each function. Each instance of a template is a function of its own.
class reference_finder {
 public:
  /// Empty for a function that has no definition here, or is defined in a header of the system.
  [[nodiscard]] const references& of(const clang::FunctionDecl* function);
  /// The same for any declaration, with everything that is written in it.
  [[nodiscard]] static references in(const clang::Decl* declaration);
  /// The functions that a call of `function` can reach by names, with `function` itself.
  [[nodiscard]] llvm::DenseSet<const clang::FunctionDecl*> reach(
      const clang::FunctionDecl* function);

 private:
  llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<references>> known_;
};

/// The function, or the template that it is an instance of, as the survey knows it.
[[nodiscard]] const clang::FunctionDecl* as_written(const clang::FunctionDecl* function);

/// The name of the function by which a GPU's wavefront runs this one, a leaf (channels/group.h);
/// empty if there is none.
[[nodiscard]] llvm::StringRef group_form_name(const clang::FunctionDecl* function);
/// That function, canonical; null if there is none of that name and type before the leaf.
[[nodiscard]] const clang::FunctionDecl* group_form(const clang::FunctionDecl* function);

/// Whether a variable never changes, and is of an arithmetic type or an array of such: then a copy
/// of it can take its place.
[[nodiscard]] bool is_constant(const clang::ASTContext& context, const clang::VarDecl* variable);

}  // namespace cilk2chan
