#include "analysis/made_places.hpp"
#include "diagnostics/refusals.hpp"

#include <llvm/ADT/StringSet.h>
#include "frontend/tree_walker.hpp"
#include "tasks/checks/check.hpp"

namespace cilk2chan {
namespace {

const llvm::StringSet<> cxx_keywords = {
    "alignas",   "alignof",       "and",         "and_eq",    "bitand",   "bitor",
    "bool",      "catch",         "char16_t",    "char32_t",  "char8_t",  "class",
    "co_await",  "co_return",     "co_yield",    "compl",     "concept",  "const_cast",
    "consteval", "constexpr",     "constinit",   "decltype",  "delete",   "dynamic_cast",
    "explicit",  "export",        "false",       "friend",    "mutable",  "namespace",
    "new",       "noexcept",      "not",         "not_eq",    "nullptr",  "operator",
    "or",        "or_eq",         "private",     "protected", "public",   "reinterpret_cast",
    "requires",  "static_assert", "static_cast", "template",  "this",     "thread_local",
    "throw",     "true",          "try",         "typeid",    "typename", "using",
    "virtual",   "wchar_t",       "xor",         "xor_eq"};

class c_checker : public tree_walker {
 public:
  explicit c_checker(const program& source) : diagnostics_(source.context->getDiagnostics()) {}

  bool VisitNamedDecl(clang::NamedDecl* declaration) override {
    const clang::IdentifierInfo* identifier = declaration->getIdentifier();
    if (identifier != nullptr && cxx_keywords.contains(identifier->getName())) {
      refuse(diagnostics_, declaration->getLocation(), refusals::cxx_keyword,
             identifier->getName());
    }
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    const bool old_style = !function->hasPrototype() && function->getNumParams() > 0;
    if (old_style && !function->getBuiltinID()) {
      refuse(diagnostics_, function->getLocation(), refusals::old_style_definition,
             name_of(function));
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee != nullptr && !callee->hasPrototype() && call->getNumArgs() > 0 &&
        !callee->getBuiltinID() && callee->getNumParams() == 0) {
      refuse(diagnostics_, call->getExprLoc(), refusals::old_style_definition, name_of(callee));
    }
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    const clang::VarDecl* before = variable->getPreviousDecl();
    if (variable->isFileVarDecl() && before != nullptr && !variable->hasExternalStorage() &&
        !before->hasExternalStorage()) {
      refuse(diagnostics_, variable->getLocation(), refusals::tentative_definition,
             name_of(variable));
    }
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* node) override {
    if (!node->isArgumentType() &&
        llvm::isa<clang::CharacterLiteral>(node->getArgumentExpr()->IgnoreParens())) {
      refuse(diagnostics_, node->getOperatorLoc(), refusals::character_size);
    }
    return true;
  }

  bool TraverseStmt(clang::Stmt* code) override {
    // The value of a structure is one in C++, too.
    if (const auto* read = literal_read(code))
      return tree_walker::TraverseStmt(const_cast<clang::Expr*>(read->getInitializer()));
    const auto* literal = llvm::dyn_cast_or_null<clang::CompoundLiteralExpr>(code);
    if (literal != nullptr && !literal->isFileScope())
      refuse(diagnostics_, literal->getLParenLoc(), refusals::compound_literal);
    return tree_walker::TraverseStmt(code);
  }

 private:
  clang::DiagnosticsEngine& diagnostics_;
};

}  // namespace

void check_c(const program& source) {
  c_checker checker(source);
  for (clang::Decl* declaration : source.context->getTranslationUnitDecl()->decls()) {
    if (source.sources().isInSystemHeader(declaration->getLocation())) continue;
    if (declaration->isImplicit()) continue;
    checker.TraverseDecl(declaration);
  }
}

void check_c(const program& source, clang::Decl* declaration) {
  c_checker(source).TraverseDecl(declaration);
}

}  // namespace cilk2chan
