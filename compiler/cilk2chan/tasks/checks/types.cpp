#include "analysis/element_types.hpp"
#include "diagnostics/refusals.hpp"
#include "tasks/checks/check.hpp"

#include <clang/AST/DeclCXX.h>

namespace cilk2chan {
namespace {

const clang::TagDecl* tag_of(clang::QualType type) {
  while (!type->getPointeeType().isNull()) type = type->getPointeeType();
  if (const clang::Type* element = type->getBaseElementTypeUnsafe()) return element->getAsTagDecl();
  return nullptr;
}

}  // namespace

void check_type(const program& source, clang::QualType type, clang::SourceLocation where,
                llvm::StringRef name) {
  clang::DiagnosticsEngine& diagnostics = source.context->getDiagnostics();
  if (type->isReferenceType()) return refuse(diagnostics, where, refusals::reference, name);
  if (type->isVariablyModifiedType()) {
    return refuse(diagnostics, where, refusals::variable_array, name);
  }
  if (type->isIncompleteType() ||
      !type.getUnqualifiedType().isTriviallyCopyableType(*source.context)) {
    return refuse(diagnostics, where, refusals::not_trivial, name);
  }
  if (!has_default_constructor(type)) return refuse(diagnostics, where, refusals::no_default, name);
  const clang::TagDecl* tag = tag_of(type);
  if (tag != nullptr && tag->getIdentifier() == nullptr &&
      tag->getTypedefNameForAnonDecl() == nullptr) {
    return refuse(diagnostics, where, refusals::unnamed_type, name);
  }
}

}  // namespace cilk2chan
