#include "tasks/initial_values.hpp"

#include "frontend/type_text.hpp"

#include <clang/AST/ExprCXX.h>

namespace cilk2chan {
namespace {

const clang::CXXConstructExpr* constructor_of(const clang::VarDecl* variable) {
  const clang::Expr* value = variable->getInit();
  return value == nullptr ? nullptr
                          : llvm::dyn_cast<clang::CXXConstructExpr>(value->IgnoreImplicit());
}

}  // namespace

bool has_initial_value(const clang::VarDecl* variable) {
  const auto* made = constructor_of(variable);
  const bool does_nothing = made != nullptr && made->getNumArgs() == 0 &&
                            made->getConstructor()->isTrivial() && !made->isListInitialization();
  return variable->getInit() != nullptr && !does_nothing;
}

std::string initial_value(const program& source, const node_text& editor,
                          const clang::VarDecl* variable) {
  if (!has_initial_value(variable)) return {};
  const clang::Expr* value = variable->getInit();
  const std::string type = type_text(source, variable->getType());
  const auto* made = constructor_of(variable);
  const bool listed = made != nullptr && made->isListInitialization();
  if (variable->getInitStyle() == clang::VarDecl::CallInit || listed) {
    if (made == nullptr) return "(" + editor.text(value) + ")";
    if (variable->getType()->isArrayType()) return "{}";  // each element as its constructor has it
    std::string arguments;
    for (const clang::Expr* argument : made->arguments()) {
      if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) break;
      arguments += (arguments.empty() ? "" : ", ") + editor.text(argument);
    }
    return type + (listed ? "{" : "(") + arguments + (listed ? "}" : ")");
  }
  const std::string text = editor.text(value);
  const bool names_type = !source.is_c() && !variable->getType()->isArrayType();
  if (!names_type || !text.starts_with("{")) return text;
  // Only a name of one word may stand before a brace.
  const bool one_word = !variable->getType()->isScalarType();
  return (one_word ? type : "std::type_identity_t<" + type + ">") + text;
}

}  // namespace cilk2chan
