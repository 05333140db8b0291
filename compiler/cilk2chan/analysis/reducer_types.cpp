#include "analysis/reducer_types.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/CharInfo.h>  // isAsciiIdentifierContinue

#include <map>

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

// The text of an argument, which has to mean the same wherever the reducer is used.
std::string text_of(const clang::TemplateArgument& argument, const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.FullyQualifiedName = true;
  policy.SuppressUnwrittenScope = true;
  if (argument.getKind() == clang::TemplateArgument::Type && !argument.isDependent())
    return argument.getAsType().getCanonicalType().getAsString(policy);
  std::string text;
  llvm::raw_string_ostream stream(text);
  argument.print(policy, stream, true);
  return text;
}

// Writes values in the place of names.
std::string replaced(llvm::StringRef text, const std::map<std::string, std::string>& values) {
  std::string result;
  while (!text.empty()) {
    const llvm::StringRef word = text.take_while(
        [](char c) { return clang::isAsciiIdentifierContinue(static_cast<unsigned char>(c)); });
    if (word.empty()) {
      result += text.front();
      text = text.drop_front();
      continue;
    }
    const auto value = values.find(word.str());
    const bool member = !result.empty() && (result.back() == ':' || result.back() == '.');
    result += value == values.end() || member ? word.str() : value->second;
    text = text.drop_front(word.size());
  }
  return result;
}

std::optional<reducer_type> look_into(clang::TypeLoc type, reducer_type::level level);

// The reducer that a template makes: `template <class T> using sum = T cilk_reducer(zero<T>, ...)`.
std::optional<reducer_type> look_into_alias(clang::TemplateSpecializationTypeLoc type,
                                            reducer_type::level level) {
  const auto* alias = llvm::dyn_cast_or_null<clang::TypeAliasTemplateDecl>(
      type.getTypePtr()->getTemplateName().getAsTemplateDecl());
  if (alias == nullptr) return std::nullopt;
  const auto* info = alias->getTemplatedDecl()->getTypeSourceInfo();
  if (info == nullptr) return std::nullopt;
  auto found = look_into(info->getTypeLoc(), level);
  if (!found) return std::nullopt;
  std::map<std::string, std::string> values;
  const llvm::ArrayRef<clang::TemplateArgument> given = type.getTypePtr()->template_arguments();
  std::size_t index = 0;
  for (const clang::NamedDecl* parameter : *alias->getTemplateParameters()) {
    const auto* of_type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter);
    if (index < given.size()) {
      values[parameter->getNameAsString()] = text_of(given[index], alias->getASTContext());
    } else if (of_type != nullptr && of_type->hasDefaultArgument()) {
      values[parameter->getNameAsString()] = replaced(
          text_of(of_type->getDefaultArgument().getArgument(), alias->getASTContext()), values);
    }
    ++index;
  }
  found->functions = replaced(found->functions, values);
  return found;
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
    } else if (const auto made = type.getAs<clang::TemplateSpecializationTypeLoc>()) {
      return look_into_alias(made, level);
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

bool is_reducer_class(const clang::CXXRecordDecl* record) {
  if (record == nullptr) return false;
  const auto marked = [](const clang::CXXRecordDecl* one) {
    return llvm::any_of(one->specific_attrs<clang::AnnotateAttr>(),
                        [](const auto* mark) { return mark->getAnnotation() == "cilk_reducer"; });
  };
  const clang::CXXRecordDecl* pattern = record->getTemplateInstantiationPattern();
  return marked(record) || (pattern != nullptr && marked(pattern));
}

bool uses_view(const clang::FunctionDecl* function) {
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function))
    return is_reducer_class(method->getParent());
  const clang::IdentifierInfo* name = function->getIdentifier();
  return name != nullptr && (name->isStr("channels_cilk_view") || name->isStr("cilk_c_view") ||
                             name->isStr("cilk_c_begin"));
}

bool holds_reducer(const clang::VarDecl* variable) {
  if (reducer_of(variable)) return true;
  if (is_reducer_class(variable->getType()->getAsCXXRecordDecl())) return true;
  const clang::RecordDecl* record = variable->getType()->getAsRecordDecl();
  if (record == nullptr) return false;
  for (const clang::FieldDecl* field : record->fields()) {
    if (reducer_of(field)) return true;
  }
  return false;
}

}  // namespace cilk2chan
