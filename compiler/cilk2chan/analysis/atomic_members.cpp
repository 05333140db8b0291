#include "analysis/atomic_members.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/STLExtras.h>

namespace cilk2chan {
namespace {

constexpr llvm::StringLiteral members[] = {"load",
                                           "store",
                                           "exchange",
                                           "compare_exchange_weak",
                                           "compare_exchange_strong",
                                           "fetch_add",
                                           "fetch_sub",
                                           "fetch_and",
                                           "fetch_or",
                                           "fetch_xor",
                                           "is_lock_free"};

bool has_place(const clang::ASTContext& context, clang::QualType object) {
  const auto* instance =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(object->getAsCXXRecordDecl());
  if (instance == nullptr || !instance->isInStdNamespace() || instance->getName() != "atomic" ||
      instance->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return false;
  const clang::QualType value = instance->getTemplateArgs()[0].getAsType();
  return value->isScalarType() && !value->isMemberPointerType() && !value->isAnyComplexType() &&
         context.getTypeSizeInChars(value).getQuantity() <= 8 &&
         context.getTypeSize(value) == context.getTypeSize(object);
}

bool is_known(const clang::CXXMethodDecl* method) {
  if (llvm::isa<clang::CXXConversionDecl>(method)) return true;
  if (method->getIdentifier() != nullptr) return llvm::is_contained(members, method->getName());
  switch (method->getOverloadedOperator()) {
    case clang::OO_Equal:
    case clang::OO_PlusPlus:
    case clang::OO_MinusMinus:
    case clang::OO_PlusEqual:
    case clang::OO_MinusEqual:
    case clang::OO_AmpEqual:
    case clang::OO_PipeEqual:
    case clang::OO_CaretEqual: return !method->isDeleted();
    default: return false;
  }
}

}  // namespace

const clang::Expr* atomic_object(const clang::CallExpr* call) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method == nullptr || !method->isInstance() || !method->getParent()->isInStdNamespace() ||
      !is_known(method))
    return nullptr;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  const clang::Expr* object = nullptr;
  if (member != nullptr) {
    object = member->getBase();
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(call)) {
    object = call->getArg(0);
  } else {
    return nullptr;
  }
  // The members of a base are those of the variable.
  object = object->IgnoreImpCasts();
  clang::QualType type = object->getType();
  if (member != nullptr && member->isArrow()) type = type->getPointeeType();
  if (type.isNull() || !has_place(method->getASTContext(), type)) return nullptr;
  return object;
}

}  // namespace cilk2chan
