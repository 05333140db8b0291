#include "analysis/element_types.hpp"

#include <clang/AST/DeclCXX.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// Clang declares an implicit constructor where it is used, and only then knows if it is deleted.
bool has_implicit_constructor(const clang::CXXRecordDecl* record) {
  const auto field = [](const clang::FieldDecl* one) {
    const clang::QualType type = one->getType();
    if (one->hasInClassInitializer()) return true;
    return !type->isReferenceType() && has_default_constructor(type) &&
           (!type.isConstQualified() || type->isRecordType());
  };
  return std::ranges::all_of(record->fields(), field) &&
         std::ranges::all_of(record->bases(), [](const clang::CXXBaseSpecifier& one) {
           return has_default_constructor(one.getType());
         });
}

}  // namespace

bool has_default_constructor(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) return true;
  // Tasks have a closure as a structure, in which a reference is a pointer.
  if (record->isLambda()) {
    return std::ranges::all_of(record->fields(), [](const clang::FieldDecl* one) {
      return one->getType()->isReferenceType() || has_default_constructor(one->getType());
    });
  }
  if (!record->hasDefaultConstructor()) return false;
  if (record->needsImplicitDefaultConstructor()) return has_implicit_constructor(record);
  return std::ranges::any_of(record->ctors(), [](const clang::CXXConstructorDecl* one) {
    return one->isDefaultConstructor() && !one->isDeleted();
  });
}

}  // namespace cilk2chan
