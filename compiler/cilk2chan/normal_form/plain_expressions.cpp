#include "normal_form/plain_expressions.hpp"

#include "analysis/made_places.hpp"
#include "analysis/reducer_types.hpp"
#include "frontend/children.hpp"  // bare
#include "frontend/keywords.hpp"
#include "normal_form/hidden_types.hpp"
#include "normal_form/plain_atomics.hpp"
#include "normal_form/plain_types.hpp"
#include "tasks/checks/check.hpp"  // is_step_of_void

#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <utility>

namespace cilk2chan {
namespace {

bool is_implicit_this(const clang::Expr* base) {
  const auto* self = llvm::dyn_cast<clang::CXXThisExpr>(base->IgnoreParenImpCasts());
  return self != nullptr && self->isImplicit();
}

// Whether a view may be read at any time: what other strands add can only bring it closer to what
// it becomes.
bool is_monotone(const reducer_facts& facts) {
  switch (facts.operation) {
    case view_operation::bit_and:
    case view_operation::bit_or:
    case view_operation::least:
    case view_operation::greatest: return facts.view->isIntegerType();
    default: return false;
  }
}

// Whether an argument leads to an object that is a reducer.
bool leads_to_reducer_object(const clang::Expr* argument) {
  clang::QualType type = argument->IgnoreParenImpCasts()->getType();
  if (type->isPointerType()) type = type->getPointeeType();
  return is_reducer_class(type->getAsCXXRecordDecl());
}

}  // namespace

std::string in_quotes(llvm::StringRef text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

bool is_temporary(const clang::Expr* value) {
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(value)) value = full->getSubExpr();
  value = value->IgnoreImpCasts();
  return llvm::isa<clang::MaterializeTemporaryExpr>(value) || value->isPRValue();
}

plain_expressions::plain_expressions(const parsed_file& source, const plain_names& names)
    : rows(source.context),
      complex(source.context),
      source_(source),
      names_(names),
      policy_(plain_policy(source.context)) {}

void plain_expressions::fail(llvm::StringRef what, clang::SourceLocation where) {
  const auto same = [&](const obstacle& one) { return one.what == what; };
  if (std::ranges::none_of(reasons_, same))
    reasons_.push_back({where.isValid() ? where : at_, what.str()});
}

void plain_expressions::take_reasons(const plain_expressions& from) {
  for (const obstacle& one : from.reasons_) fail(one.what, one.where);
}

std::string plain_expressions::text(const clang::Expr* value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  value->printPretty(out, this, policy_, 0, "\n", &source_.context);
  return text;
}

std::string plain_expressions::address(const clang::Expr* value) {
  // A pointer that stands for a reference.
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value->IgnoreParenImpCasts())) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const bool same = source_.context.hasSameUnqualifiedType(name->getType(), value->getType());
    if (variable != nullptr && same && pointers_.contains(variable)) return this->name(variable);
  }
  if (value->isXValue()) {
    const clang::QualType type = value->getType().getUnqualifiedType();
    const auto spelled = plain_type(source_.context, type);
    need(spelled.has_value(), why_not_plain(source_.context, type));
    return "const_cast<" + spelled.value_or("") + "*>(&static_cast<const " + spelled.value_or("") +
           "&>(" + text(value) + "))";
  }
  return "&(" + text(value) + ")";
}

std::string plain_expressions::place(const named_view& view) {
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(view.place)) {
    // Views have no business in an index here.
    need(!text(element->getIdx()).empty(), reasons::view_in_index);
  }
  const bool before = std::exchange(names_places_, true);
  const std::string own = text(view.place);
  names_places_ = before;
  return place(view.at_pointer ? "(*" + own + ")" : own, view.facts);
}

std::string plain_expressions::place(const std::string& reducer, const reducer_facts& facts) {
  if (facts.how_declared == reducer_facts::attribute) return reducer;
  if (facts.how_declared == reducer_facts::c_object) return reducer + ".value";
  const auto type = plain_type(source_.context, source_.context.getPointerType(facts.view));
  need(type.has_value(), why_not_plain(source_.context, facts.view));
  return "(*(" + type.value_or("") + ")&(" + reducer + "))";
}

void plain_expressions::leads(const clang::DeclaratorDecl* target, const clang::Expr* value) {
  const auto type = reducer_of(target);
  if (!type || type->where != reducer_type::pointed_to) return;
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(value->IgnoreParenImpCasts());
  if (address != nullptr && address->getOpcode() == clang::UO_AddrOf)
    named_.insert(address->getSubExpr()->IgnoreParens());
}

bool plain_expressions::has_variable(const named_view& view) {
  return !variables_.empty() && variables_.contains(place(view));
}

std::optional<unsigned> plain_expressions::kind_of(const reducer_facts& facts) const {
  if (views.empty()) return std::nullopt;
  const auto kind = names_.kinds->find(source_, facts);
  return kind && views.contains(*kind) ? kind : std::nullopt;
}

std::string plain_expressions::views_here(unsigned kind) {
  const auto found = views.find(kind);
  need(found != views.end(), reasons::no_views);
  return found == views.end() || found->second.empty() ? "(struct cilk_views*)0" : found->second;
}

std::optional<std::string> plain_expressions::local_view(const named_view& view) {
  if (has_variable(view)) return variables_.at(place(view));
  const auto kind = kind_of(view.facts);
  if (!kind) return std::nullopt;
  const std::string& own = views.at(*kind);
  if (own.empty()) return place(view);
  return "(*cilk_view_" + std::to_string(*kind) + "(" + own + ", &" + place(view) + "))";
}

bool plain_expressions::is_alone_with(const named_view& view) const {
  return is_quiet && (is_alone || (view.reducer != nullptr && owned_.contains(view.reducer)));
}

std::string plain_expressions::view_value(const named_view& view) {
  const char* part = view.is_best ? ".best_" : "";
  if (const auto own = local_view(view)) return *own + part;
  if (view.whole && (view.is_best || view.facts.view->isArithmeticType())) {
    if (is_alone_with(view)) return place(view) + part;
    if (is_monotone(view.facts)) return "__atomic_load_n(&" + place(view) + ", __ATOMIC_RELAXED)";
  }
  fail(reasons::view_not_alone);
  return {};
}

std::string plain_expressions::view_place(const named_view& view) {
  if (const auto own = local_view(view)) return *own;
  const bool fine = view.whole && view.facts.view->isArithmeticType() && is_alone_with(view);
  need(fine, reasons::view_not_alone);
  return fine ? place(view) : "";
}

bool plain_expressions::print_reducer(const clang::Expr* value, llvm::raw_ostream& out) {
  const auto view_of = [&](const clang::Expr* one) {
    return view_in(source_.context, one->IgnoreParens());
  };
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value)) {
    if (cast->getCastKind() != clang::CK_LValueToRValue) return false;
    const auto view = view_of(cast->getSubExpr());
    if (view) out << view_value(*view);
    return view.has_value();
  }
  if (const auto* set = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    const auto view = set->isAssignmentOp() ? view_of(set->getLHS()) : std::nullopt;
    if (view) out << view_place(*view) << " " << set->getOpcodeStr() << " " << text(set->getRHS());
    return view.has_value();
  }
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    const auto view = step->isIncrementDecrementOp() ? view_of(step->getSubExpr()) : std::nullopt;
    if (view) {
      const llvm::StringRef word = clang::UnaryOperator::getOpcodeStr(step->getOpcode());
      const std::string own = view_place(*view);
      out << "(" << (step->isPrefix() ? word.str() + own : own + word.str()) << ")";
      return true;
    }
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value)) {
    if (const auto view = view_behind(member)) {
      const auto own = local_view(*view);
      const bool fine = own && member->getMemberDecl()->getIdentifier() != nullptr;
      need(fine, reasons::view_not_alone);
      if (fine) out << *own << "." << member->getMemberDecl()->getName();
      return true;
    }
  }
  if (const auto view = view_in(source_.context, value)) {
    if (named_.contains(value)) {
      out << place(*view);
      return true;
    }
    const auto own = local_view(*view);
    need(own.has_value(), reasons::view_not_alone);
    if (own) out << (view->is_best ? *own + ".best_" : view->whole ? *own : "(&" + *own + ")");
    return true;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const bool own = callee != nullptr && plain_callee(call) != nullptr;
    const bool uses = callee != nullptr && uses_view(callee);
    if (uses && print_member_of_reducer(call, out)) return true;
    // What it does to views is not known.
    const bool passed =
        !own && (uses || std::ranges::any_of(call->arguments(), leads_to_reducer_object));
    need(!passed, reasons::reducer_passed);
    return passed;
  }
  if (!names_reducer(value)) return false;
  // A pointer to a reducer and an object go to functions that have plain forms.
  const bool object = leads_to_reducer_object(value);
  const auto* declarator =
      llvm::isa<clang::DeclRefExpr>(value)
          ? llvm::dyn_cast<clang::DeclaratorDecl>(llvm::cast<clang::DeclRefExpr>(value)->getDecl())
          : llvm::dyn_cast<clang::DeclaratorDecl>(
                llvm::cast<clang::MemberExpr>(value)->getMemberDecl());
  const auto type = declarator == nullptr ? std::nullopt : reducer_of(declarator);
  const bool pointer = type && type->where == reducer_type::pointed_to;
  const bool holder = !type && !object;  // a structure with reducers in it
  const bool fine = pointer || object || holder;
  need(fine, reasons::reducer_passed);
  return !fine;
}

bool plain_expressions::print_member_of_reducer(const clang::CallExpr* call,
                                                llvm::raw_ostream& out) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method == nullptr || !is_reducer_class(method->getParent())) return false;
  const auto view_of = [&](const clang::Expr* object) -> std::optional<std::string> {
    object = object->IgnoreParenImpCasts();
    const auto facts = facts_of_reducer_class(object->getType()->getAsCXXRecordDecl());
    if (!facts || !kind_of(*facts)) return std::nullopt;
    return local_view({nullptr, object, false, true, false, *facts});
  };
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
    const auto which = operation->getOperator();
    if (which != clang::OO_LessLess && which != clang::OO_PlusEqual) return false;
    const auto view = view_of(operation->getArg(0));
    if (view)
      out << "(" << *view << " " << clang::getOperatorSpelling(which) << " "
          << text(operation->getArg(1)) << ")";
    return view.has_value();
  }
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  const clang::IdentifierInfo* name = method->getIdentifier();
  // The views have these, too.
  constexpr llvm::StringLiteral known[] = {"push_back",    "push_front", "insert_back",
                                           "insert_front", "append",     "prepend"};
  if (member == nullptr || name == nullptr || !llvm::is_contained(known, name->getName()))
    return false;
  const auto view = view_of(member->getImplicitObjectArgument());
  if (!view) return false;
  out << *view << "." << name->getName() << "(";
  const char* comma = "";
  for (const clang::Expr* argument : call->arguments()) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) continue;
    out << std::exchange(comma, ", ") << text(argument);
  }
  out << ")";
  return true;
}

std::string plain_expressions::converted(const clang::Expr* value, clang::QualType to) {
  if (to->isReferenceType()) return address(value);
  if (!is_boxed(source_.context, to)) return text(value);
  if (const auto known = passed_on_.find(bare(value)); known != passed_on_.end())
    return known->second;
  return held_object(source_.context, to, text(value));
}

const clang::FunctionDecl* defined_callee(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr || callee->hasPrototype()) return callee;
  const clang::FunctionDecl* definition = callee->getDefinition();
  return definition == nullptr ? callee : definition;
}

// What C has, and C++ has not.
bool plain_expressions::print_only_c(const clang::Expr* value, llvm::raw_ostream& out) {
  if (const auto* letters = llvm::dyn_cast<clang::StringLiteral>(value)) {
    if (!is_without_end(source_.context, letters)) return false;
    const clang::QualType type = source_.context.getBaseElementType(letters->getType());
    const std::string cast = "(" + type.getUnqualifiedType().getAsString(policy_) + ")";
    const auto size = source_.context.getAsConstantArrayType(letters->getType())->getSize();
    out << "{";
    for (unsigned i = 0; i < size.getZExtValue(); ++i)
      out << (i == 0 ? "" : ", ") << cast << letters->getCodeUnit(i);
    out << "}";
    return true;
  }
  const auto* step = llvm::dyn_cast<clang::UnaryOperator>(value);
  const auto* two = llvm::dyn_cast<clang::BinaryOperator>(value);
  if (is_step_of_void(value)) {
    if (step != nullptr || two->isAssignmentOp()) {
      const clang::Expr* pointer = step != nullptr ? step->getSubExpr() : two->getLHS();
      const std::string bytes = "(*(char**)&(" + text(pointer) + "))";
      out << "("
          << (step != nullptr && step->isPrefix() ? step->getOpcodeStr(step->getOpcode()) : "")
          << bytes;
      if (two != nullptr) out << " " << two->getOpcodeStr() << " " << text(two->getRHS());
      out << (step != nullptr && step->isPostfix() ? step->getOpcodeStr(step->getOpcode()) : "")
          << ")";
      return true;
    }
    const auto operand = [&](const clang::Expr* one) {
      return (one->getType()->isPointerType() ? "(char*)(" : "(") + text(one) + ")";
    };
    const auto type = plain_type(source_.context, value->getType().getUnqualifiedType());
    need(type.has_value(), why_not_plain(source_.context, value->getType()), value);
    out << "((" << type.value_or("") << ")(" << operand(two->getLHS()) << " " << two->getOpcodeStr()
        << " " << operand(two->getRHS()) << "))";
    return true;
  }
  if (!is_enumeration_changed(value)) return false;
  const clang::Expr* place = step != nullptr ? step->getSubExpr() : two->getLHS();
  const auto type = plain_type(source_.context, place->getType().getUnqualifiedType());
  // It is written twice.
  need(type && !place->HasSideEffects(source_.context), reasons::enumeration_changed, value);
  const std::string own = text(place);
  const std::string cast = "(" + type.value_or("") + ")";
  if (step != nullptr) {
    const bool up = step->isIncrementOp();
    const std::string next = own + " = " + cast + "((int)" + own + (up ? " + 1)" : " - 1)");
    if (step->isPrefix())
      out << "(" << next << ")";
    else
      out << "(" << cast << "((int)(" << next << ")" << (up ? " - 1))" : " + 1))");
    return true;
  }
  const auto* change = llvm::cast<clang::CompoundAssignOperator>(two);
  const auto number = plain_type(source_.context, change->getComputationLHSType());
  const llvm::StringRef operation = clang::BinaryOperator::getOpcodeStr(
      clang::BinaryOperator::getOpForCompoundAssignment(change->getOpcode()));
  out << "(" << own << " = " << cast << "((" << number.value_or("int") << ")" << own << " "
      << operation << " (" << text(change->getRHS()) << ")))";
  return true;
}

// What C++ takes for another number or size than C.
bool plain_expressions::print_of_c(const clang::Expr* value, llvm::raw_ostream& out) {
  if (!source_.is_c()) return false;
  if (print_only_c(value, out)) return true;
  // A value of an enumeration is an `int` in C++.
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value)) {
    const bool converted = cast->getCastKind() == clang::CK_IntegralCast &&
                           cast->getSubExpr()->getType()->isEnumeralType() &&
                           cast->getType()->isSpecificBuiltinType(clang::BuiltinType::UInt);
    if (converted) out << "((unsigned int)(" << text(cast->getSubExpr()) << "))";
    return converted;
  }
  const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(value);
  const bool of_int =
      size != nullptr && size->getKind() == clang::UETT_SizeOf && !size->isArgumentType() &&
      !size->getArgumentExpr()->isLValue() &&
      size->getArgumentExpr()->getType()->isSpecificBuiltinType(clang::BuiltinType::Int);
  if (of_int) out << "sizeof(int)";
  return of_int;
}

const std::string* plain_expressions::plain_callee(const clang::CallExpr* call) const {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr) return nullptr;
  const auto found = names_.find(callee->getCanonicalDecl());
  if (found == names_.end()) return nullptr;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  // Which function a virtual call calls is not known here.
  if (method != nullptr && member != nullptr && method->isVirtual() && !member->hasQualifier() &&
      method->getDevirtualizedMethod(member->getBase(), false) == nullptr)
    return nullptr;
  return &found->second;
}

std::string plain_expressions::object(const clang::CallExpr* call) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  if (member != nullptr) {
    if (is_implicit_this(member->getBase())) return object_text();
    const auto* arrow = llvm::dyn_cast<clang::CXXOperatorCallExpr>(bare(member->getBase()));
    if (arrow != nullptr && arrow->getOperator() == clang::OO_Arrow)
      return "(" + text(arrow->getArg(0)) + ").operator->()";
    if (member->isArrow()) return text(member->getBase());
    need(!is_temporary(member->getBase()), reasons::temporary_called, member);
    return address(member->getBase());
  }
  need(!is_temporary(call->getArg(0)), reasons::temporary_called, call);
  return address(call->getArg(0));
}

std::string plain_expressions::call(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = defined_callee(call);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const bool has_object = method != nullptr && method->isInstance();
  std::string arguments = has_object ? object(call) : "";
  const unsigned first = has_object && llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
  if (call->getNumArgs() - first != callee->getNumParams()) {
    fail(reasons::other_arguments, call->getExprLoc());
    return {};
  }
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    const clang::Expr* argument = call->getArg(i);
    if (const auto* usual = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
      argument = usual->getExpr();
    const clang::ParmVarDecl* parameter = callee->getParamDecl(i - first);
    leads(parameter, argument);
    if (!arguments.empty()) arguments += ", ";
    arguments += converted(argument, parameter->getType());
  }
  for (const unsigned kind : names_.views_of(callee)) {
    arguments += (arguments.empty() ? "" : ", ") + views_here(kind);
  }
  return *plain_callee(call) + "(" + arguments + ")";
}

std::string plain_expressions::name(const clang::VarDecl* variable) {
  if (const auto other = others_.find(variable); other != others_.end()) return other->second;
  if (variable->getIdentifier() != nullptr && !variable->getName().empty()) {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    return parameter == nullptr ? variable_name(variable) : parameter_name(parameter);
  }
  return others_[variable] = "cilk_unnamed_" + std::to_string(++unnamed_);
}

void plain_expressions::is_operator_of(const clang::CXXMethodDecl* method) {
  operator_ = method;
  method->getParent()->getCaptureFields(captured_, captured_object_);
}

std::string plain_expressions::object_text() const {
  if (captured_object_ == nullptr) return self;
  return std::string(self) + "->" + captured_name(captured_object_->getFieldIndex());
}

std::string plain_expressions::variable(const clang::VarDecl* variable) {
  if (const auto found = captured_.find(variable); found != captured_.end()) {
    const std::string member =
        std::string(self) + "->" + captured_name(found->second->getFieldIndex());
    return found->second->getType()->isReferenceType() ? "(*" + member + ")" : member;
  }
  const std::string own = name(variable);
  return pointers_.contains(variable) ? "(*" + own + ")"
         : boxes_.contains(variable)  ? own + ".value()"
                                      : own;
}

// A constant of the function around, which a lambda uses without capturing it.
std::string plain_expressions::constant(const clang::DeclRefExpr* name) {
  clang::Expr::EvalResult result;
  const clang::QualType type = name->getType().getUnqualifiedType();
  const auto spelled = plain_type(source_.context, type);
  const bool known = type->isIntegralOrEnumerationType() && spelled &&
                     name->EvaluateAsInt(result, source_.context);
  if (!known) {
    fail(reasons::constant_of_lambda, name->getLocation());
    return {};
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "((" << *spelled << ")" << result.Val.getInt() << ")";
  return text;
}

std::string plain_expressions::reference(const clang::DeclRefExpr* name) {
  const clang::ValueDecl* declaration = name->getDecl();
  if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(declaration)) {
    if (operator_ != nullptr && binding->getDeclContext() != operator_) {
      fail(reasons::binding_in_lambda, name->getLocation());
      return {};
    }
    if (binding->getHoldingVar() != nullptr) return "(*" + binding->getNameAsString() + ")";
    if (binding->getBinding() == nullptr) {
      fail(reasons::binding_in_lambda, name->getLocation());
      return {};
    }
    return "(" + text(binding->getBinding()) + ")";
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (variable != nullptr && variable->isLocalVarDeclOrParm()) {
    const bool outside = operator_ != nullptr && variable->getDeclContext() != operator_ &&
                         !captured_.contains(variable);
    return outside ? constant(name) : this->variable(variable);
  }
  if (const auto* one = llvm::dyn_cast<clang::EnumConstantDecl>(declaration)) {
    const auto* list = llvm::cast<clang::EnumDecl>(one->getDeclContext());
    if (has_hidden_type(list->getName())) return constant(name);
  }
  if (names_.values.contains(name) && !names_host_code) {
    const auto* function = llvm::cast<clang::FunctionDecl>(declaration);
    const auto type =
        plain_type(source_.context, source_.context.getPointerType(function->getType()));
    return "(*(" + type.value_or("") + ")" +
           names_.addresses.find(function->getCanonicalDecl())->second + ")";
  }
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
  if (source_.is_c())
    return function != nullptr ? written_name(function) : declaration->getNameAsString();
  if (llvm::isa<clang::NonTypeTemplateParmDecl>(declaration)) {
    fail(reasons::template_parameter, name->getLocation());
    return {};
  }
  // A device has a reference of the variable's name in its place.
  const bool of_file = variable != nullptr && !name->hasQualifier() &&
                       variable->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
                       !llvm::isa<clang::VarTemplateSpecializationDecl>(variable);
  if (of_file) return variable->getNameAsString();
  // Clang has std::move, std::forward and their like as builtins, too.
  if (function != nullptr && function->getBuiltinID() != 0 && !function->isInStdNamespace())
    return written_name(function);
  // A friend that only its class declares is found by its arguments.
  const bool hidden_friend =
      function != nullptr && function->getFriendObjectKind() != clang::Decl::FOK_None &&
      std::ranges::none_of(function->redecls(), [](const clang::FunctionDecl* one) {
        return one->getLexicalDeclContext()->isFileContext();
      });
  if (hidden_friend) return function->getNameAsString();
  std::string text = "::" + plain_name(declaration);
  const clang::TemplateArgumentList* arguments =
      function == nullptr ? nullptr : function->getTemplateSpecializationArgs();
  if (arguments != nullptr && name->hasExplicitTemplateArgs()) {
    llvm::raw_string_ostream out(text);
    clang::printTemplateArgumentList(out, arguments->asArray(), policy_);
  }
  if (const auto* instance = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(declaration)) {
    llvm::raw_string_ostream out(text);
    clang::printTemplateArgumentList(out, instance->getTemplateArgs().asArray(), policy_);
  }
  return text;
}

// Clang's printer leaves out an implicit `this`.
bool plain_expressions::print_member(const clang::MemberExpr* member, llvm::raw_ostream& out) {
  if (!is_implicit_this(member->getBase())) return false;
  const clang::ValueDecl* declaration = member->getMemberDecl();
  if (llvm::isa<clang::FieldDecl>(declaration) && declaration->getIdentifier() == nullptr) {
    out << object_text();
    return true;
  }
  out << object_text() << "->" << declaration->getNameAsString();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(declaration);
  if (method != nullptr && method->getTemplateSpecializationArgs() != nullptr &&
      member->hasExplicitTemplateArgs())
    clang::printTemplateArgumentList(out, method->getTemplateSpecializationArgs()->asArray(),
                                     policy_);
  return true;
}

// Clang's printer has no words for default arguments, but commas.
bool plain_expressions::print_called_object(const clang::CallExpr* call, llvm::raw_ostream& out) {
  const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  const bool usual = operation != nullptr && operation->getOperator() == clang::OO_Call &&
                     llvm::isa<clang::CXXDefaultArgExpr>(*(call->arg_end() - 1));
  if (!usual) return false;
  const clang::Expr* object = bare(call->getArg(0));
  const bool name = llvm::isa<clang::DeclRefExpr>(object);
  out << (name ? "" : "(") << text(object) << (name ? "" : ")") << "(";
  const char* comma = "";
  for (unsigned i = 1; i < call->getNumArgs(); ++i) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(i))) break;
    out << std::exchange(comma, ", ") << text(call->getArg(i));
  }
  out << ")";
  return true;
}

bool plain_expressions::print_atomic(const clang::CallExpr* call, llvm::raw_ostream& out) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  const clang::QualType type = atomic_value_type(method);
  if (type.isNull()) return false;
  std::vector<std::string> arguments;
  const unsigned first = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    const clang::Expr* argument = call->getArg(i);
    if (!llvm::isa<clang::CXXDefaultArgExpr>(argument)) arguments.push_back(text(argument));
  }
  const auto pointer = plain_type(source_.context, source_.context.getPointerType(type), "");
  const std::string operation =
      atomic_operation(method, "(" + pointer.value_or("") + ")" + object(call), arguments);
  out << operation;
  return !operation.empty();
}

// A lambda is an object of its hidden type, made of what it captures.
bool plain_expressions::print_closure(const clang::LambdaExpr* lambda, llvm::raw_ostream& out) {
  const clang::CXXRecordDecl* closure = lambda->getLambdaClass();
  std::string members;
  auto field = closure->field_begin();
  for (const clang::Expr* value : lambda->capture_inits()) {
    const bool known = value != nullptr && field != closure->field_end();
    need(known, reasons::array_captured, lambda);
    if (!known) return true;
    const clang::QualType type = (*field++)->getType();
    members += (members.empty() ? "" : ", ");
    members += type->isReferenceType() ? address(value) : text(value);
  }
  need(has_hidden_type(closure->getName()), reasons::lambda_without_name, lambda);
  out << closure->getName() << "{" << members << "}";
  return true;
}

// `size_t(n)` and `T()`: a type's own name may be more than one word.
bool plain_expressions::print_scalar(const clang::Expr* value, llvm::raw_ostream& out) {
  if (!value->getType()->isScalarType()) return false;
  const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(value);
  if (cast == nullptr && !llvm::isa<clang::CXXScalarValueInitExpr>(value)) return false;
  const auto type = plain_type(source_.context, value->getType());
  if (!type) return false;
  const clang::Expr* from = cast == nullptr ? nullptr : cast->getSubExpr();
  if (const auto* list = llvm::dyn_cast_or_null<clang::InitListExpr>(from))
    from = list->getNumInits() == 0 ? nullptr : list->getInit(0);
  out << "((" << *type << ")(" << (from == nullptr ? "0" : text(from)) << "))";
  return true;
}

// Whether it is a type of whole numbers, or of letters, of one or two bytes.
static bool is_small_number(clang::QualType type) {
  const auto* builtin = type->getAs<clang::BuiltinType>();
  if (builtin == nullptr) return false;
  switch (builtin->getKind()) {
    case clang::BuiltinType::SChar:
    case clang::BuiltinType::UChar:
    case clang::BuiltinType::Short:
    case clang::BuiltinType::UShort: return true;
    default: return type->isCharType();
  }
}

bool plain_expressions::handledStmt(clang::Stmt* code, llvm::raw_ostream& out) {
  const auto* value = llvm::dyn_cast<clang::Expr>(code);
  if (value == nullptr) {
    fail(reasons::statement_not_plain, code->getBeginLoc());
    return true;
  }
  if (const auto found = replaced_.find(value); found != replaced_.end()) {
    out << found->second;
    return true;
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(value))
    return print_closure(lambda, out);
  // What is returned is moved, without a word in the program.
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value);
      cast != nullptr && cast->isXValue() && cast->getSubExpr()->isLValue()) {
    const auto type = plain_type(source_.context, cast->getType().getUnqualifiedType());
    need(type.has_value(), why_not_plain(source_.context, cast->getType()), value);
    out << "static_cast<" << type.value_or("") << "&&>(" << text(cast->getSubExpr()) << ")";
    return true;
  }
  if (llvm::isa<clang::StmtExpr, clang::CXXThrowExpr, clang::VAArgExpr, clang::CXXFoldExpr>(
          value)) {
    fail(llvm::isa<clang::StmtExpr>(value)       ? reasons::block_in_expression
         : llvm::isa<clang::CXXThrowExpr>(value) ? reasons::exception
                                                 : reasons::variable_arguments,
         value->getExprLoc());
    return true;
  }
  if (!names_places_ && print_reducer(value, out)) return true;
  if (print_of_c(value, out)) return true;
  if (rows.print(*this, value, out)) return true;
  if (names_.calculates && complex.print(*this, value, out)) return true;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    out << reference(name);
    return true;
  }
  if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(value)) {
    // One that is used by its address has a variable.
    need(!source_.is_c() || literal->isFileScope(), reasons::literal_in_expression, value);
    return false;
  }
  if (const auto* literal = literal_read(value)) {
    const auto type = plain_type(source_.context, literal->getType());
    need(type.has_value(), why_not_plain(source_.context, literal->getType()), value);
    out << "(" << type.value_or("") << ")" << text(literal->getInitializer());
    return true;
  }
  // Clang writes `(type){...}` where the type's arguments are found by what stands in the braces,
  // which nvcc does not take for classes with bases.
  const auto* made = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(value);
  if (made != nullptr && made->isListInitialization() &&
      made->getType()->getContainedDeducedType() != nullptr) {
    const clang::QualType type = made->getType().getUnqualifiedType();
    const auto plain = plain_type(source_.context, type);
    need(plain.has_value(), why_not_plain(source_.context, type), value);
    out << plain.value_or("") << text(made->getSubExpr());
    return true;
  }
  if (llvm::isa<clang::CXXThisExpr>(value)) {
    out << object_text();
    return true;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value))
    return print_member(member, out);
  if (print_scalar(value, out)) return true;
  // Clang's printer has no words for numbers of small types.
  if (const auto* given = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(value)) {
    if (!is_small_number(given->getType())) {
      // It may begin with a sign.
      out << "(" << text(given->getReplacement()) << ")";
      return true;
    }
    const auto number = given->getReplacement()->getIntegerConstantExpr(source_.context);
    need(number.has_value(), reasons::template_parameter, value);
    out << "(" << given->getType().getCanonicalType().getUnqualifiedType().getAsString(policy_)
        << ")" << (number ? number->getExtValue() : 0);
    return true;
  }
  // Clang's printer may shorten it.
  if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(value)) {
    const llvm::StringRef written =
        clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(number->getSourceRange()),
                                    source_.sources, source_.context.getLangOpts());
    const bool literal =
        !number->getBeginLoc().isMacroID() && !written.empty() &&
        (written.front() == '.' || (written.front() >= '0' && written.front() <= '9'));
    if (literal) out << written;
    return literal;
  }
  if (const auto* own = llvm::dyn_cast<clang::PredefinedExpr>(value)) {
    if (own->getFunctionName() == nullptr) return false;
    out << in_quotes(own->getFunctionName()->getString());
    return true;
  }
  if (const auto* pack = llvm::dyn_cast<clang::SizeOfPackExpr>(value)) {
    need(!pack->isValueDependent(), reasons::template_parameter, value);
    if (!pack->isValueDependent()) out << pack->getPackLength();
    return true;
  }
  if (const auto* spawn = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    // Those that can be spawned were printed by the statement; this one is serial.
    if (is_spawn(spawn, source_.sources)) {
      out << text(spawn->getSubExpr());
      return true;
    }
    return false;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) {
    if (plain_callee(call) == nullptr)
      return print_atomic(call, out) || print_called_object(call, out);
    out << this->call(call);
    return true;
  }
  return false;
}

}  // namespace cilk2chan
