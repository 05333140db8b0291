#include "frontend/type_text.hpp"

#include <clang/AST/PrettyPrinter.h>
#include <clang/AST/Type.h>

namespace cilk2chan {
namespace {

bool holds_every_value(const clang::ASTContext& context, clang::QualType to, clang::QualType from) {
  if (!to->isIntegerType() || !from->isIntegerType() || from->isEnumeralType()) return false;
  const bool to_signed = to->isSignedIntegerType();
  const bool from_signed = from->isSignedIntegerType();
  const auto to_bits = context.getIntWidth(to);
  const auto from_bits = context.getIntWidth(from);
  if (to_signed == from_signed) return to_bits >= from_bits;
  return to_signed && to_bits > from_bits;
}

}  // namespace

std::string type_text(const program& source, clang::QualType type, const std::string& name) {
  clang::LangOptions options = source.context->getLangOpts();
  clang::PrintingPolicy policy(options);
  policy.Bool = true;
  policy.Restrict = false;
  policy.SuppressTagKeyword = options.CPlusPlus;
  if (const auto* decayed = type->getAs<clang::DecayedType>()) type = decayed->getDecayedType();
  type = type.getUnqualifiedType();
  type.removeLocalRestrict();
  // What stands for `auto` may have names that are known only where it is declared, and `decltype`
  // those of parameters.
  if (type->getContainedDeducedType() != nullptr || type->getAs<clang::DecltypeType>() != nullptr) {
    type = type.getCanonicalType();
    policy.SuppressUnwrittenScope = true;
  }
  // The elements of a constant array are constant themselves.
  clang::Qualifiers of_elements;
  if (type->isConstantArrayType())
    type = source.context->getUnqualifiedArrayType(type, of_elements);
  std::string text = name;
  type.getAsStringInternal(text, policy);
  return text;
}

std::string without_narrowing(const program& source, const clang::Expr* value, clang::QualType to,
                              std::string text) {
  const clang::ASTContext& context = *source.context;
  const clang::QualType from = value->IgnoreImpCasts()->getType();
  if (context.hasSameUnqualifiedType(from, to) || !to->isArithmeticType() ||
      holds_every_value(context, to, from)) {
    return text;
  }
  return "static_cast<" + type_text(source, to) + ">(" + text + ")";
}

std::string without_unnamed(std::string name) {
  constexpr llvm::StringRef unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed.str()); at != std::string::npos;
       at = name.find(unnamed.str(), at))
    name.erase(at, unnamed.size());
  return name;
}

}  // namespace cilk2chan
