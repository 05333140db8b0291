#include "normal_form/plain_expressions.hpp"

#include "analysis/reducer_types.hpp"
#include "frontend/keywords.hpp"
#include "normal_form/hidden_types.hpp"
#include "normal_form/plain_atomics.hpp"
#include "normal_form/plain_types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>

namespace cilk2chan {
namespace {

bool is_implicit_this(const clang::Expr* base) {
  const auto* self = llvm::dyn_cast<clang::CXXThisExpr>(base->IgnoreParenImpCasts());
  return self != nullptr && self->isImplicit();
}

// Whether it names a reducer, or what leads to one: printed types do not say so any more.
bool is_reducer(const clang::Expr* value) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(value);
  const clang::ValueDecl* declaration = name != nullptr     ? name->getDecl()
                                        : member != nullptr ? member->getMemberDecl()
                                                            : nullptr;
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(declaration);
  const auto* declarator = llvm::dyn_cast_or_null<clang::DeclaratorDecl>(declaration);
  if (variable != nullptr && holds_reducer(variable)) return true;
  return declarator != nullptr && !llvm::isa<clang::FunctionDecl>(declarator) &&
         reducer_of(declarator).has_value();
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
    : source_(source), names_(names), policy_(plain_policy(source.context)) {}

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
    if (!spelled) failed = true;
    return "const_cast<" + spelled.value_or("") + "*>(&static_cast<const " + spelled.value_or("") +
           "&>(" + text(value) + "))";
  }
  return "&(" + text(value) + ")";
}

std::string plain_expressions::converted(const clang::Expr* value, clang::QualType to) {
  if (to->isReferenceType()) return address(value);
  if (!is_boxed(source_.context, to)) return text(value);
  failed = failed || !can_copy_box(to);
  return plain_variable(source_.context, to, "").value_or("") + "(" + text(value) + ")";
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
    if (member->isArrow()) return text(member->getBase());
    failed = failed || is_temporary(member->getBase());
    return address(member->getBase());
  }
  failed = failed || is_temporary(call->getArg(0));
  return address(call->getArg(0));
}

std::string plain_expressions::call(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const bool has_object = method != nullptr && method->isInstance();
  std::string arguments = has_object ? object(call) : "";
  const unsigned first = has_object && llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    const clang::Expr* argument = call->getArg(i);
    if (const auto* usual = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
      argument = usual->getExpr();
    const clang::ParmVarDecl* parameter = callee->getParamDecl(i - first);
    if (!arguments.empty()) arguments += ", ";
    arguments += converted(argument, parameter->getType());
  }
  return *plain_callee(call) + "(" + arguments + ")";
}

std::string plain_expressions::name(const clang::VarDecl* variable) {
  if (const auto other = others_.find(variable); other != others_.end()) return other->second;
  if (variable->getIdentifier() != nullptr && !variable->getName().empty())
    return variable->getNameAsString();
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
    failed = true;
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
      failed = true;
      return {};
    }
    if (binding->getHoldingVar() != nullptr) return "(*" + binding->getNameAsString() + ")";
    if (binding->getBinding() == nullptr) {
      failed = true;
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
  if (source_.is_c()) return declaration->getNameAsString();
  if (llvm::isa<clang::NonTypeTemplateParmDecl>(declaration)) {
    failed = true;
    return {};
  }
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
  if (function != nullptr && function->getBuiltinID() != 0) return function->getNameAsString();
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
    failed = failed || !known;
    if (!known) return true;
    const clang::QualType type = (*field++)->getType();
    members += (members.empty() ? "" : ", ");
    members += type->isReferenceType() ? address(value) : text(value);
  }
  failed = failed || !has_hidden_type(closure->getName());
  out << closure->getName() << "{" << members << "}";
  return true;
}

bool plain_expressions::handledStmt(clang::Stmt* code, llvm::raw_ostream& out) {
  const auto* value = llvm::dyn_cast<clang::Expr>(code);
  if (value == nullptr) {
    failed = true;
    return true;
  }
  if (const auto found = replaced_.find(value); found != replaced_.end()) {
    out << found->second;
    return true;
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(value))
    return print_closure(lambda, out);
  if (llvm::isa<clang::StmtExpr, clang::CXXThrowExpr, clang::VAArgExpr, clang::CXXFoldExpr>(
          value)) {
    failed = true;
    return true;
  }
  if (is_reducer(value)) {
    failed = true;
    return true;
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    out << reference(name);
    return true;
  }
  if (llvm::isa<clang::CXXThisExpr>(value)) {
    out << object_text();
    return true;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value))
    return print_member(member, out);
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
    failed = failed || pack->isValueDependent();
    if (!failed) out << pack->getPackLength();
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
    if (plain_callee(call) == nullptr) return print_atomic(call, out);
    out << this->call(call);
    return true;
  }
  return false;
}

}  // namespace cilk2chan
