#include "analysis/shared_members.hpp"

#include <clang/AST/DeclTemplate.h>

namespace cilk2chan {
namespace {

bool is_shared(clang::QualType type) {
  const auto* instance =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return instance != nullptr && instance->isInStdNamespace() && instance->getName() == "shared_ptr";
}

bool is_known(const clang::CXXMethodDecl* method) {
  if (const auto* conversion = llvm::dyn_cast<clang::CXXConversionDecl>(method))
    return conversion->getConversionType()->isBooleanType();
  if (method->getIdentifier() != nullptr) return method->getName() == "get";
  switch (method->getOverloadedOperator()) {
    case clang::OO_Arrow:
    case clang::OO_Star:
    case clang::OO_Subscript: return true;
    default: return false;
  }
}

// The members of a base are those of the object.
const clang::Expr* without_casts(const clang::Expr* object) { return object->IgnoreImpCasts(); }

}  // namespace

std::vector<const clang::Expr*> shared_objects(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr) return {};
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  if (method == nullptr) {
    if (operation == nullptr || !callee->isInStdNamespace() ||
        (operation->getOperator() != clang::OO_EqualEqual &&
         operation->getOperator() != clang::OO_ExclaimEqual))
      return {};
    std::vector<const clang::Expr*> found;
    for (const clang::Expr* one : operation->arguments()) {
      one = without_casts(one);
      if (is_shared(one->getType()))
        found.push_back(one);
      else if (!one->getType()->isNullPtrType())
        return {};
    }
    return found;
  }
  if (!method->isInstance() || !method->getParent()->isInStdNamespace() || !is_known(method))
    return {};
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  if (member == nullptr && operation == nullptr) return {};
  const clang::Expr* object =
      without_casts(member != nullptr ? member->getBase() : operation->getArg(0));
  const bool arrow = member != nullptr && member->isArrow();
  const clang::QualType type = arrow ? object->getType()->getPointeeType() : object->getType();
  if (type.isNull() || !is_shared(type)) return {};
  return {object};
}

}  // namespace cilk2chan
