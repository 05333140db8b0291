#include "analysis/reducer_types.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>

namespace cilk2chan {
namespace {

// The arguments of `cilk_reducer(...)`, from the attribute that its macro expands to.
std::optional<std::string> functions_of(const clang::Attr* attribute) {
  const auto* annotation = llvm::dyn_cast_or_null<clang::AnnotateTypeAttr>(attribute);
  if (annotation == nullptr || annotation->getAnnotation() != "cilk_reducer" ||
      annotation->args_size() != 1)
    return std::nullopt;
  const auto* text =
      llvm::dyn_cast<clang::StringLiteral>((*annotation->args_begin())->IgnoreParenImpCasts());
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(*annotation->args_begin())) {
    text = llvm::dyn_cast<clang::StringLiteral>(constant->getSubExpr()->IgnoreParenImpCasts());
  }
  return text == nullptr ? std::nullopt : std::optional(text->getString().str());
}

std::optional<reducer_type> look_into(clang::TypeLoc type, reducer_type::level level) {
  while (!type.isNull()) {
    if (const auto qualified = type.getAs<clang::QualifiedTypeLoc>()) {
      type = qualified.getUnqualifiedLoc();
    } else if (const auto attributed = type.getAs<clang::AttributedTypeLoc>()) {
      if (const auto found = functions_of(attributed.getAttr())) return reducer_type{level, *found};
      type = attributed.getModifiedLoc();
    } else if (const auto elaborated = type.getAs<clang::ElaboratedTypeLoc>()) {
      type = elaborated.getNamedTypeLoc();
    } else if (const auto parens = type.getAs<clang::ParenTypeLoc>()) {
      type = parens.getInnerLoc();
    } else if (const auto name = type.getAs<clang::TypedefTypeLoc>()) {
      const auto* info = name.getTypedefNameDecl()->getTypeSourceInfo();
      if (info == nullptr) return std::nullopt;
      type = info->getTypeLoc();
    } else if (const auto pointer = type.getAs<clang::PointerTypeLoc>()) {
      if (level != reducer_type::direct) return std::nullopt;
      level = reducer_type::pointed_to;
      type = pointer.getPointeeLoc();
    } else if (const auto array = type.getAs<clang::ArrayTypeLoc>()) {
      if (level != reducer_type::direct) return std::nullopt;
      level = reducer_type::element;
      type = array.getElementLoc();
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<reducer_type> reducer_of(const clang::DeclaratorDecl* declaration) {
  if (declaration == nullptr || declaration->getTypeSourceInfo() == nullptr) return std::nullopt;
  return look_into(declaration->getTypeSourceInfo()->getTypeLoc(), reducer_type::direct);
}

bool holds_reducer(const clang::VarDecl* variable) {
  if (reducer_of(variable)) return true;
  const clang::RecordDecl* record = variable->getType()->getAsRecordDecl();
  if (record == nullptr) return false;
  for (const clang::FieldDecl* field : record->fields()) {
    if (reducer_of(field)) return true;
  }
  return false;
}

}  // namespace cilk2chan
