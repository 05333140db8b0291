#include "frontend/spelling.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace cilk2chan {

const clang::Expr* written(const clang::Expr* value) {
  for (;;) {
    // IgnoreParens would take `__extension__` away, too.
    const clang::Expr* inner = value->IgnoreUnlessSpelledInSource();
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(inner);
        list != nullptr && list->getNumInits() == 1) {
      inner = list->getInit(0);
    } else if (const auto* parens = llvm::dyn_cast<clang::ParenListExpr>(inner);
               parens != nullptr && parens->getNumExprs() == 1) {
      inner = parens->getExpr(0);
    } else if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner)) {
      inner = cast->getSubExpr();
    }
    if (inner == value) return value;
    value = inner;
  }
}

static clang::PrintingPolicy policy_for(const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.Bool = true;
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  policy.PrintCanonicalTypes = true;
  return policy;
}

static bool has_name(const clang::TemplateArgument& argument) {
  if (argument.getKind() != clang::TemplateArgument::Type) return true;
  clang::QualType type = argument.getAsType();
  while (!type->getPointeeType().isNull()) type = type->getPointeeType();
  const clang::TagDecl* tag = type->getBaseElementTypeUnsafe()->getAsTagDecl();
  if (tag == nullptr) return true;
  const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag);
  return tag->getParentFunctionOrMethod() == nullptr && tag->hasNameForLinkage() &&
         (instance == nullptr ||
          std::ranges::all_of(instance->getTemplateArgs().asArray(), has_name));
}

static std::optional<std::string> written_argument(const clang::ASTContext& context,
                                                   const clang::TemplateArgument& argument) {
  if (!has_name(argument)) return std::nullopt;
  std::string text;
  llvm::raw_string_ostream out(text);
  if (argument.getKind() != clang::TemplateArgument::Declaration) {
    argument.print(policy_for(context), out, true);
    return text;
  }
  // Clang would print its last name alone.
  const clang::ValueDecl* named = argument.getAsDecl();
  if (argument.getParamTypeForDecl()->isPointerType()) out << "&";
  out << "::";
  named->printQualifiedName(out, policy_for(context));
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named);
  const auto inner = function == nullptr ? std::string() : written_arguments(function);
  return inner ? std::optional(text + *inner) : std::nullopt;
}

std::optional<std::string> written_arguments(const clang::FunctionDecl* function) {
  const clang::TemplateArgumentList* arguments = function->getTemplateSpecializationArgs();
  if (arguments == nullptr) return "";
  std::string text;
  const auto add = [&](const clang::TemplateArgument& one) {
    const auto written = written_argument(function->getASTContext(), one);
    if (written) text += (text.empty() ? "" : ", ") + *written;
    return written.has_value();
  };
  for (const clang::TemplateArgument& one : arguments->asArray()) {
    const bool pack = one.getKind() == clang::TemplateArgument::Pack;
    if (!std::ranges::all_of(pack ? one.getPackAsArray() : llvm::ArrayRef(one), add))
      return std::nullopt;
  }
  return "<" + text + ">";
}

bool is_plain_form(const clang::FunctionDecl* function) {
  return shown_name(function) != function->getNameAsString();
}

std::string shown_name(const clang::FunctionDecl* function) {
  const std::string name = function->getNameAsString();
  const std::size_t mark = name.find(plain_mark);
  return mark == 0 || mark == std::string::npos ? name : name.substr(0, mark);
}

}  // namespace cilk2chan
