#pragma once

#include "frontend/parsed_file.hpp"
#include "frontend/spelling.hpp"  // hidden_mark

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/SetVector.h>

#include <string>
#include <utility>
#include <vector>

namespace cilk2chan {

/// A type that has a name only in its function, or none: the closure of a lambda, a local structure
/// or enumeration. Plain forms have a structure of the same members in its place.
struct hidden_type {
  const clang::TagDecl* declaration = nullptr;
  std::string name;
  std::string definition;
  std::vector<const clang::CXXMethodDecl*> operators;  // of a closure: each has a definition
  std::pair<unsigned, unsigned> lines;                 // of the declaration
};

/// The call operators of a lambda, of a generic one its instances.
[[nodiscard]] std::vector<const clang::CXXMethodDecl*> call_operators(
    const clang::CXXRecordDecl* closure);

/// Whether host code may have the type in its own layout where plain forms have the hidden one: a
/// structure, or a closure whose code host code does not rewrite, or an instance of a class
/// template with such arguments. What a rewritten closure captures, and in which order, is not
/// known here.
[[nodiscard]] bool has_known_layout(const parsed_file& source, clang::QualType type);

/// The name of what the closure captures as its member number `index`.
[[nodiscard]] std::string captured_name(unsigned index);

/// Finds the hidden types of functions. From then on the tree has names for them, so that whatever
/// is printed has these, too.
[[nodiscard]] std::vector<hidden_type> name_hidden_types(
    const parsed_file& source, const llvm::SetVector<const clang::FunctionDecl*>& functions,
    const std::string& id);

/// Those that can be defined, with their definitions, each behind what it needs.
[[nodiscard]] std::vector<hidden_type> defined_in_order(const clang::ASTContext& context,
                                                        const std::vector<hidden_type>& types);

/// The head of a call operator, as a function of the type `name`, or of none if that is empty.
[[nodiscard]] std::string operator_head(const clang::ASTContext& context,
                                        const clang::CXXMethodDecl* method,
                                        const std::string& name);

/// Whether there is a hidden type in a text.
[[nodiscard]] inline bool has_hidden_type(llvm::StringRef text) {
  return text.contains(hidden_mark);
}

}  // namespace cilk2chan
