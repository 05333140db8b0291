#include "analysis/reductions.hpp"

#include "analysis/reduce_functions.hpp"
#include "analysis/reducer_types.hpp"
#include "frontend/type_text.hpp"  // without_unnamed

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringSwitch.h>

namespace cilk2chan {
namespace {

// What Cilk Plus calls `op_add` in C++ and `opadd` in C, and its like, without the "op".
view_operation operation_called(llvm::StringRef word) {
  return llvm::StringSwitch<view_operation>(word)
      .Case("add", view_operation::add)
      .Case("mul", view_operation::multiply)
      .Case("and", view_operation::bit_and)
      .Case("or", view_operation::bit_or)
      .Case("xor", view_operation::bit_xor)
      .Case("max", view_operation::greatest)
      .Case("min", view_operation::least)
      .Default(view_operation::other);
}

bool has_floating_part(clang::QualType type, int depth = 0) {
  type = type.getCanonicalType();
  if (type->isRealFloatingType() || type->isAnyComplexType()) return true;
  if (const auto* array = type->getAsArrayTypeUnsafe())
    return has_floating_part(array->getElementType(), depth);
  // What it points to may be anything.
  if (type->isPointerType())
    return depth < 4 && has_floating_part(type->getPointeeType(), depth + 1);
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (record == nullptr || depth > 4) return false;
  for (const clang::FieldDecl* field : record->fields()) {
    if (has_floating_part(field->getType(), depth + 1)) return true;
  }
  const auto* object = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (object != nullptr && object->hasDefinition()) {
    for (const clang::CXXBaseSpecifier& base : object->bases()) {
      if (has_floating_part(base.getType(), depth + 1)) return true;
    }
  }
  return false;
}

// The function that a name of the program's means, in the order of its scopes.
const clang::FunctionDecl* function_named(llvm::StringRef text, const clang::DeclContext* from) {
  text = text.trim();
  text.consume_front("&");
  text = text.trim();
  text = text.split('<').first.trim();
  clang::ASTContext& context = from->getParentASTContext();
  text.consume_front("::");
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, "::");
  for (const clang::DeclContext* scope = from; scope != nullptr; scope = scope->getParent()) {
    if (scope->isFunctionOrMethod()) continue;
    const clang::DeclContext* at = scope;
    for (std::size_t i = 0; at != nullptr && i < parts.size(); ++i) {
      const auto found = at->lookup(&context.Idents.get(parts[i].trim()));
      if (found.empty()) break;
      const clang::NamedDecl* one = found.front()->getUnderlyingDecl();
      if (i + 1 == parts.size()) return one->getAsFunction();
      at = llvm::dyn_cast<clang::DeclContext>(one);
    }
  }
  return nullptr;
}

// The text of a class as a scope.
std::string scope_text(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.PrintCanonicalTypes = true;
  policy.SuppressTagKeyword = true;
  return "::" + type.getCanonicalType().getAsString(policy);
}

// A static member of the view's own class, by the name that ends `(name::space<class,
// args>::name)`.
const clang::FunctionDecl* function_of_view(llvm::StringRef text, clang::QualType view) {
  const clang::CXXRecordDecl* record = view->getAsCXXRecordDecl();
  text = text.trim();
  while (text.consume_front("(")) text = text.drop_back().trim();
  const auto [scope, name] = text.rsplit("::");
  const llvm::StringRef class_name = scope.split('<').first.rsplit("::").second;
  const llvm::StringRef plain = class_name.empty() ? scope.split('<').first : class_name;
  if (record == nullptr || name.empty() || plain.trim() != record->getName()) return nullptr;
  const auto found = record->lookup(&record->getASTContext().Idents.get(name.trim()));
  const auto* method =
      found.empty() ? nullptr : llvm::dyn_cast<clang::CXXMethodDecl>(found.front());
  return method != nullptr && method->isStatic() ? method : nullptr;
}

// The two functions of `cilk_reducer(identity, reduce)`.
std::pair<std::string, std::string> split_functions(llvm::StringRef text) {
  std::pair<std::string, std::string> found;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '(' || c == '<' || c == '[' ? 1 : c == ')' || c == '>' || c == ']' ? -1 : 0;
    if (c != ',' || depth != 0) continue;
    found.first = text.take_front(at).trim().str();
    text = text.drop_front(at + 1);
    break;
  }
  if (!found.first.empty()) found.second = text.trim().str();
  return found;
}

// The name of a function at file scope, with the template arguments that the program gives it.
std::string whole_name(const clang::FunctionDecl* function, llvm::StringRef written) {
  const bool c = !function->getASTContext().getLangOpts().CPlusPlus;
  const std::size_t arguments = written.find('<');
  return (c ? "" : "::") + without_unnamed(function->getQualifiedNameAsString()) +
         (arguments == llvm::StringRef::npos ? "" : written.substr(arguments).str());
}

bool is_of_namespace(const clang::FunctionDecl* function) {
  return function != nullptr && function->getDeclContext()->isFileContext();
}

void look_at_rounding(const clang::FunctionDecl* reduce, reducer_facts& facts) {
  if (!has_floating_part(facts.view)) return;
  const clang::FunctionDecl* definition = reduce == nullptr ? nullptr : reduce->getDefinition();
  facts.rounds = !compares(facts.operation) && (definition == nullptr || may_round(definition));
}

// Of functions that have no name, such as lambdas, no more is known than the type of the view.
reducer_facts facts_of_attribute(const clang::DeclaratorDecl* declaration,
                                 const reducer_type& type) {
  reducer_facts facts;
  facts.view = declaration->getType();
  if (type.where == reducer_type::pointed_to) facts.view = facts.view->getPointeeType();
  if (type.where == reducer_type::element)
    facts.view = facts.view->getAsArrayTypeUnsafe()->getElementType();
  facts.view = facts.view.getCanonicalType().getUnqualifiedType();
  const auto [identity, reduce] = split_functions(type.functions);
  const clang::DeclContext* from = declaration->getDeclContext();
  const clang::FunctionDecl* makes = function_of_view(identity, facts.view);
  const clang::FunctionDecl* joins = function_of_view(reduce, facts.view);
  if (makes != nullptr && joins != nullptr) {
    const std::string scope = scope_text(facts.view, declaration->getASTContext()) + "::";
    facts.identity = scope + makes->getNameAsString();
    facts.reduce = scope + joins->getNameAsString();
  } else {
    makes = function_named(identity, from);
    joins = function_named(reduce, from);
    if (makes == nullptr || joins == nullptr) return facts;
    facts.identity = whole_name(makes, identity);
    facts.reduce = whole_name(joins, reduce);
  }
  if (const clang::FunctionDecl* definition = joins->getDefinition())
    facts.operation = operation_of(definition, facts.view);
  look_at_rounding(joins, facts);
  return facts;
}

const clang::CXXRecordDecl* base_reducer(const clang::CXXRecordDecl* record) {
  for (int i = 0; record != nullptr && i < 4; ++i) {
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    if (instance != nullptr && instance->getName() == "reducer") return record;
    if (!record->hasDefinition() || record->getNumBases() == 0) return nullptr;
    record = record->bases_begin()->getType()->getAsCXXRecordDecl();
  }
  return nullptr;
}

clang::QualType member_type(const clang::CXXRecordDecl* record, const char* name) {
  clang::ASTContext& context = record->getASTContext();
  for (const clang::NamedDecl* one : record->lookup(&context.Idents.get(name))) {
    if (const auto* type = llvm::dyn_cast<clang::TypedefNameDecl>(one))
      return type->getUnderlyingType().getCanonicalType();
  }
  return {};
}

std::optional<reducer_facts> facts_of_object(const clang::CXXRecordDecl* record) {
  const auto* base =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(base_reducer(record));
  if (base == nullptr || !base->hasDefinition()) return std::nullopt;
  reducer_facts facts;
  facts.how_declared = reducer_facts::object;
  facts.view = member_type(base, "view_type");
  const clang::QualType monoid = base->getTemplateArgs()[0].getAsType();
  const clang::CXXRecordDecl* type = monoid->getAsCXXRecordDecl();
  if (facts.view.isNull() || type == nullptr) return std::nullopt;
  const std::string name = scope_text(monoid, record->getASTContext());
  facts.identity = name + "().identity";
  facts.reduce = name + "().reduce";
  const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(type->getDeclContext());
  const bool known = scope != nullptr && scope->getName() == "cilk";
  if (known && type->getIdentifier() != nullptr) {
    llvm::StringRef word = type->getName();
    facts.operation = word.consume_front("op_") ? operation_called(word) : view_operation::other;
    facts.keeps_best = compares(facts.operation);
    const bool index = type->getName() == "op_max_index" || type->getName() == "op_min_index";
    facts.rounds = has_floating_part(facts.view) && !facts.keeps_best && !index;
  } else {
    const clang::FunctionDecl* reduce = nullptr;
    for (const clang::CXXMethodDecl* one : type->methods()) {
      if (one->getIdentifier() != nullptr && one->getName() == "reduce") reduce = one;
    }
    look_at_rounding(reduce, facts);
  }
  return facts;
}

std::optional<reducer_facts> facts_of_c_object(clang::QualType type) {
  const auto* named = type->getAs<clang::TypedefType>();
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (named == nullptr || record == nullptr) return std::nullopt;
  llvm::StringRef name = named->getDecl()->getName();
  if (!name.consume_front("cilk_c_")) return std::nullopt;
  reducer_facts facts;
  facts.how_declared = reducer_facts::c_object;
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->getName() == "value") facts.view = field->getType().getCanonicalType();
  }
  if (facts.view.isNull()) return std::nullopt;
  const auto [what, of] = name.split('_');
  llvm::StringRef of_type = of;
  const bool index = of_type.consume_front("index_");
  // `opadd`, but `max`.
  llvm::StringRef word = what;
  const bool has_op = word.consume_front("op");
  view_operation operation = operation_called(word);
  if (compares(operation) == has_op) operation = view_operation::other;
  if (!index) facts.operation = operation;
  const std::string kind = what.str() + (index ? "_index" : "");
  facts.identity = "cilk_c_" + kind + "_identity_" + of_type.str();
  facts.reduce = "cilk_c_" + kind + "_reduce_" + of_type.str();
  facts.rounds = facts.view->isRealFloatingType() && !compares(operation);
  return facts;
}

const clang::ValueDecl* entity(const clang::Expr* value) {
  value = without_casts(value);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) return name->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value)) return member->getMemberDecl();
  return nullptr;
}

std::optional<named_view> view_by_attribute(const clang::Expr* value, const clang::Expr* place,
                                            reducer_type::level level) {
  const auto* declaration = llvm::dyn_cast_or_null<clang::DeclaratorDecl>(entity(place));
  if (declaration == nullptr || llvm::isa<clang::FunctionDecl>(declaration)) return std::nullopt;
  const auto type = reducer_of(declaration);
  if (!type || type->where != level) return std::nullopt;
  return named_view{level == reducer_type::direct ? declaration : nullptr,
                    value,
                    false,
                    true,
                    false,
                    facts_of_attribute(declaration, *type)};
}

// Whether a view is its value: of that type, or derived from it.
bool is_its_value(const reducer_facts& facts, const clang::CXXRecordDecl* reducer) {
  if (facts.view->isArithmeticType() || facts.keeps_best) return true;
  const clang::CXXRecordDecl* base = base_reducer(reducer);
  const clang::QualType value =
      base == nullptr ? clang::QualType() : member_type(base, "value_type");
  const clang::CXXRecordDecl* view = facts.view->getAsCXXRecordDecl();
  const clang::CXXRecordDecl* object =
      value.isNull() || view == nullptr ? nullptr : value->getAsCXXRecordDecl();
  return object != nullptr && view->hasDefinition() &&
         (declaresSameEntity(view, object) || view->isDerivedFrom(object));
}

// `*r`, `r()`, `r->...`, `r.view()`, `r.get_reference()`, `r.get_value()`.
std::optional<named_view> view_of_object(const clang::CallExpr* call) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method == nullptr || !is_reducer_class(method->getParent())) return std::nullopt;
  const clang::Expr* object = nullptr;
  bool whole = true;
  bool is_best = false;
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
    const auto which = operation->getOperator();
    const bool names = (which == clang::OO_Star && call->getNumArgs() == 1) ||
                       (which == clang::OO_Call && call->getNumArgs() == 1) ||
                       which == clang::OO_Arrow;
    if (!names) return std::nullopt;
    if (reducer_behind(operation) != operation) return std::nullopt;
    object = operation->getArg(0);
    whole = which != clang::OO_Arrow;
  } else if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    const clang::IdentifierInfo* name = method->getIdentifier();
    if (name == nullptr || call->getNumArgs() != 0) return std::nullopt;
    object = reducer_behind(member->getImplicitObjectArgument());
    const auto facts = facts_of_object(method->getParent());
    const bool value = facts && is_its_value(*facts, method->getParent());
    is_best = facts && facts->keeps_best && !name->isStr("view");
    const bool names = name->isStr("view") ||
                       (value && (name->isStr("get_reference") || name->isStr("get_value")));
    if (!names) return std::nullopt;
  } else {
    return std::nullopt;
  }
  const auto facts = facts_of_object(method->getParent());
  if (!facts) return std::nullopt;
  return named_view{entity(object), object, false, whole, is_best, *facts};
}

// `((typeof(r)*)cilk_c_view(&r, sizeof r))->value`.
std::optional<named_view> view_in_c(const clang::MemberExpr* member) {
  if (!member->isArrow() || member->getMemberDecl()->getName() != "value") return std::nullopt;
  const clang::Expr* base = without_casts(member->getBase());
  const auto* call = llvm::dyn_cast<clang::CallExpr>(base);
  const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || !callee->getIdentifier() || callee->getName() != "cilk_c_view" ||
      call->getNumArgs() != 2)
    return std::nullopt;
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(without_casts(call->getArg(0)));
  if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return std::nullopt;
  const clang::Expr* place = address->getSubExpr()->IgnoreParens();
  const auto facts = facts_of_c_object(place->getType());
  if (!facts) return std::nullopt;
  return named_view{entity(place), place, false, true, false, *facts};
}

}  // namespace

const clang::Expr* reducer_behind(const clang::Expr* object) {
  const auto* arrow = llvm::dyn_cast<clang::CXXOperatorCallExpr>(object->IgnoreParenImpCasts());
  if (arrow == nullptr || arrow->getOperator() != clang::OO_Arrow) return object;
  return is_reducer_class(arrow->getType()->getPointeeCXXRecordDecl()) ? arrow->getArg(0) : object;
}

bool compares(view_operation how) {
  return how == view_operation::least || how == view_operation::greatest;
}

clang::QualType value_type(const reducer_facts& facts) {
  if (!facts.keeps_best) return facts.view;
  const clang::CXXRecordDecl* record = facts.view->getAsCXXRecordDecl();
  if (record == nullptr) return {};
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->getName() == "best_") return field->getType().getCanonicalType();
  }
  return {};
}

bool reduces_in_any_order(const clang::ASTContext& context, const reducer_facts& facts) {
  const clang::QualType type = value_type(facts);
  if (facts.operation == view_operation::other || type.isNull() || facts.rounds) return false;
  return context.getTypeSize(type) <= 64 &&
         (type->isIntegerType() || (compares(facts.operation) && type->isRealFloatingType()));
}

std::optional<reducer_facts> facts_of_reducer_class(const clang::CXXRecordDecl* record) {
  return facts_of_object(record);
}

std::optional<reducer_facts> facts_of_c_reducer(clang::QualType type) {
  return facts_of_c_object(type);
}

std::optional<reducer_facts> facts_of_variable(const clang::VarDecl* variable) {
  const auto type = reducer_of(variable);
  if (type) {
    if (type->where != reducer_type::direct) return std::nullopt;
    return facts_of_attribute(variable, *type);
  }
  if (!variable->getASTContext().getLangOpts().CPlusPlus)
    return facts_of_c_object(variable->getType());
  const clang::CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
  return is_reducer_class(record) ? facts_of_object(record) : std::nullopt;
}

std::optional<named_view> view_in(const clang::ASTContext& context, const clang::Expr* value) {
  if (!context.getLangOpts().CPlusPlus) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value)) {
      if (const auto found = view_in_c(member)) return found;
    }
  }
  if (llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(value))
    return view_by_attribute(value, value, reducer_type::direct);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (operation->getOpcode() != clang::UO_Deref) return std::nullopt;
    return view_by_attribute(value, operation->getSubExpr(), reducer_type::pointed_to);
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(value)) {
    if (const auto found = view_by_attribute(value, element->getBase(), reducer_type::pointed_to))
      return found;
    return view_by_attribute(value, element->getBase(), reducer_type::element);
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) return view_of_object(call);
  return std::nullopt;
}

std::optional<named_view> view_behind(const clang::MemberExpr* member) {
  if (!member->isArrow()) return std::nullopt;
  const clang::Expr* pointer = member->getBase()->IgnoreParenImpCasts();
  auto found = view_by_attribute(pointer, pointer, reducer_type::pointed_to);
  if (found) found->at_pointer = true;
  return found;
}

bool names_reducer(const clang::Expr* value) {
  if (!llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(value)) return false;
  const auto* declarator = llvm::dyn_cast_or_null<clang::DeclaratorDecl>(entity(value));
  if (declarator == nullptr || llvm::isa<clang::FunctionDecl>(declarator)) return false;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declarator);
  return reducer_of(declarator).has_value() || (variable != nullptr && holds_reducer(variable));
}

bool keeps_value(const clang::ASTContext& context, const clang::Expr* from, clang::QualType to) {
  clang::Expr::EvalResult known;
  from = from->IgnoreParenImpCasts();
  const clang::QualType type = from->getType();
  if (!type->isIntegerType() || !to->isIntegerType()) return false;
  if (from->EvaluateAsInt(known, context)) {
    const llvm::APSInt& number = known.Val.getInt();
    const unsigned width = static_cast<unsigned>(context.getTypeSize(to));
    return !number.isNegative() && number.getActiveBits() < width;
  }
  const auto mine = context.getTypeSize(type);
  const auto other = context.getTypeSize(to);
  const bool is_signed = type->isSignedIntegerOrEnumerationType();
  return is_signed == to->isSignedIntegerOrEnumerationType() ? mine <= other
                                                             : !is_signed && mine < other;
}

std::string functions_of_reducer(const clang::DeclaratorDecl* declaration,
                                 const std::string& written) {
  const auto [identity, reduce] = split_functions(written);
  if (identity.empty()) return written;
  const clang::DeclContext* from = declaration->getDeclContext();
  const clang::FunctionDecl* makes = function_named(identity, from);
  const clang::FunctionDecl* joins = function_named(reduce, from);
  if (!is_of_namespace(makes) || !is_of_namespace(joins)) return written;
  return whole_name(makes, identity) + ", " + whole_name(joins, reduce);
}

}  // namespace cilk2chan
