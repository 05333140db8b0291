#include "normal_form/plain_types.hpp"

#include "analysis/element_types.hpp"
#include "diagnostics/refusals.hpp"  // reasons
#include "frontend/tree_walker.hpp"
#include "normal_form/hidden_types.hpp"
#include "tasks/checks/check.hpp"  // is_cxx_keyword

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// Finds a class or enumeration that has no name, or that a function declares.
class hidden_type_finder : public tree_walker {
 public:
  bool found = false;

  bool VisitTagType(clang::TagType* type) override {
    const clang::TagDecl* declaration = type->getDecl();
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration);
    if (declaration->getIdentifier() != nullptr && declaration->getName().starts_with(hidden_mark))
      return true;
    const bool named = declaration->getIdentifier() != nullptr ||
                       declaration->getTypedefNameForAnonDecl() != nullptr;
    found = found || !named || declaration->getParentFunctionOrMethod() != nullptr ||
            (record != nullptr && record->isLambda());
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(declaration);
    if (instance != nullptr) {
      for (const clang::TemplateArgument& one : instance->getTemplateArgs().asArray()) {
        if (one.getKind() == clang::TemplateArgument::Type) TraverseType(one.getAsType());
      }
    }
    return true;
  }
};

bool has_method(const clang::CXXRecordDecl* record, bool (clang::CXXMethodDecl::*is)() const) {
  return std::ranges::any_of(record->methods(), [&](const clang::CXXMethodDecl* one) {
    return (one->*is)() && !one->isDeleted();
  });
}

// Such as std::atomic has none.
bool has_copy_assignment(const clang::CXXRecordDecl* record) {
  return record->needsImplicitCopyAssignment()
             ? record->hasSimpleCopyAssignment()
             : has_method(record, &clang::CXXMethodDecl::isCopyAssignmentOperator);
}

}  // namespace

clang::PrintingPolicy plain_policy(const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.Bool = true;
  policy.SuppressTagKeyword = context.getLangOpts().CPlusPlus;
  policy.SuppressUnwrittenScope = true;
  policy.PrintCanonicalTypes = true;
  return policy;
}

bool is_array_of_rows(const clang::ASTContext& context, clang::QualType type) {
  while (const clang::ArrayType* array = context.getAsArrayType(type)) {
    if (llvm::isa<clang::VariableArrayType>(array)) return true;
    type = array->getElementType();
  }
  return false;
}

bool has_rows(clang::QualType type) {
  type = type.getCanonicalType();
  if (type->isVariablyModifiedType()) return true;
  if (const auto* function = type->getAs<clang::FunctionProtoType>())
    return has_rows(function->getReturnType()) ||
           std::ranges::any_of(function->param_types(), has_rows);
  if (const clang::Type* inner = type->getPointeeOrArrayElementType(); inner != type.getTypePtr())
    return has_rows(clang::QualType(inner, 0));
  return false;
}

clang::QualType without_rows(const clang::ASTContext& context, clang::QualType type) {
  if (!type->isVariablyModifiedType()) return type;
  if (type->isPointerType()) {
    clang::QualType inside = type->getPointeeType();
    while (is_array_of_rows(context, inside))
      inside = context.getAsArrayType(inside)->getElementType();
    inside = without_rows(context, inside);
    if (inside.isNull()) return inside;
    return context.getQualifiedType(context.getPointerType(inside), type.getQualifiers());
  }
  const clang::ConstantArrayType* array = context.getAsConstantArrayType(type);
  const clang::QualType element =
      array == nullptr ? clang::QualType() : without_rows(context, array->getElementType());
  if (element.isNull()) return element;
  return context.getConstantArrayType(element, array->getSize(), nullptr,
                                      clang::ArraySizeModifier::Normal, 0);
}

std::optional<std::string> plain_type(const clang::ASTContext& context, clang::QualType type,
                                      const std::string& name) {
  type = without_rows(context, type.getCanonicalType());
  if (type.isNull() || has_rows(type)) return std::nullopt;
  type = type.getCanonicalType();
  hidden_type_finder finder;
  finder.TraverseType(type);
  if (finder.found) return std::nullopt;
  std::string text = name;
  type.getAsStringInternal(text, plain_policy(context));
  return text;
}

std::string why_not_plain(const clang::ASTContext& context, clang::QualType type) {
  type = without_rows(context, type.getNonReferenceType().getCanonicalType());
  return type.isNull() || has_rows(type) ? reasons::rows : reasons::type_without_name;
}

bool is_boxed(const clang::ASTContext& context, clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record != nullptr && !type->isReferenceType() && record->hasDefinition() &&
         (!type.isTriviallyCopyableType(context) || !has_default_constructor(type) ||
          !has_copy_assignment(record));
}

bool can_copy_box(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record->hasTrivialCopyConstructor() && record->hasTrivialDestructor();
}

bool is_held(const clang::ASTContext& context, clang::QualType type) {
  return is_boxed(context, type) && !can_copy_box(type);
}

bool can_be_assigned(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return has_copy_assignment(record) || record->hasSimpleMoveAssignment() ||
         has_method(record, &clang::CXXMethodDecl::isMoveAssignmentOperator);
}

bool can_be_moved(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const bool implicit =
      (record->needsImplicitMoveConstructor() && !record->defaultedMoveConstructorIsDeleted()) ||
      (record->needsImplicitCopyConstructor() && !record->defaultedCopyConstructorIsDeleted());
  return implicit || std::ranges::any_of(record->ctors(), [](const auto* one) {
           return one->isCopyOrMoveConstructor() && !one->isDeleted();
         });
}

std::string made_of(const std::string& type, const std::string& value) {
  // nvcc does not read T(T{...}) behind `new`.
  if (value.starts_with(type + "{") || value.starts_with(type + "(")) return value;
  return type + (value.starts_with("{") ? value : "(" + value + ")");
}

std::string held_object(const clang::ASTContext& context, clang::QualType type,
                        const std::string& value) {
  const std::string holder = plain_variable(context, type, "").value_or("");
  const std::string inside = plain_type(context, type.getUnqualifiedType()).value_or("");
  if (can_copy_box(type))
    return holder + "(" + (value.starts_with("{") ? made_of(inside, value) : value) + ")";
  return holder + "(new " + made_of(inside, value) + ")";
}

std::optional<std::string> plain_variable(const clang::ASTContext& context, clang::QualType type,
                                          const std::string& name) {
  if (is_boxed(context, type)) {
    const auto inside = plain_type(context, type.getUnqualifiedType());
    if (!inside) return std::nullopt;
    const char* holder = can_copy_box(type) ? "cilk_box<" : "cilk_held<";
    return holder + *inside + ">" + (name.empty() ? "" : " " + name);
  }
  if (!type->isReferenceType()) return plain_type(context, type, name);
  return plain_type(context, context.getPointerType(type.getNonReferenceType()), name);
}

std::string plain_name(const clang::NamedDecl* declaration) {
  std::string text;
  llvm::raw_string_ostream out(text);
  declaration->printQualifiedName(out, plain_policy(declaration->getASTContext()));
  return text;
}

std::string variable_name(const clang::VarDecl* variable) {
  const std::string name = variable->getNameAsString();
  const bool renamed = !variable->getASTContext().getLangOpts().CPlusPlus && is_cxx_keyword(name);
  return renamed ? "cilk_c_" + name : name;
}

std::string parameter_name(const clang::ParmVarDecl* parameter) {
  std::string name = variable_name(parameter);
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  if (name.empty() || function == nullptr) return name;
  unsigned before = 0;
  for (const clang::ParmVarDecl* one : function->parameters()) {
    if (one == parameter) break;
    if (one->getIdentifier() == parameter->getIdentifier()) ++before;
  }
  return before == 0 ? name : name + "_cilk_" + std::to_string(before);
}

}  // namespace cilk2chan
