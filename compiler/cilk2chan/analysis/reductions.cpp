#include "analysis/reductions.hpp"

#include "analysis/reducer_types.hpp"
#include "frontend/tree_walker.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringSwitch.h>

namespace cilk2chan {
namespace {

const clang::Expr* without_casts(const clang::Expr* value) {
  for (;;) {
    value = value->IgnoreParenImpCasts();
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(value);
    if (cast == nullptr) return value;
    value = cast->getSubExpr();
  }
}

view_operation of_operator(clang::BinaryOperatorKind how) {
  switch (how) {
    case clang::BO_Add:
    case clang::BO_AddAssign: return view_operation::add;
    case clang::BO_Mul:
    case clang::BO_MulAssign: return view_operation::multiply;
    case clang::BO_And:
    case clang::BO_AndAssign: return view_operation::bit_and;
    case clang::BO_Or:
    case clang::BO_OrAssign: return view_operation::bit_or;
    case clang::BO_Xor:
    case clang::BO_XorAssign: return view_operation::bit_xor;
    default: return view_operation::other;
  }
}

view_operation of_operator(clang::OverloadedOperatorKind how) {
  switch (how) {
    case clang::OO_PlusEqual: return view_operation::add;
    case clang::OO_StarEqual: return view_operation::multiply;
    case clang::OO_AmpEqual: return view_operation::bit_and;
    case clang::OO_PipeEqual: return view_operation::bit_or;
    case clang::OO_CaretEqual: return view_operation::bit_xor;
    default: return view_operation::other;
  }
}

// Reads the function that reduces two views: `*(T*)left += *(T*)right` and its like.
class reduce_reader {
 public:
  explicit reduce_reader(const clang::FunctionDecl* function) : function_(function) {}

  // What it does, if that is all that it does, to values of the type `view`.
  view_operation read(clang::QualType view) {
    view_ = view;
    if (function_->getNumParams() != 2) return view_operation::other;
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function_->getBody());
    if (body == nullptr) return view_operation::other;
    view_operation found = view_operation::other;
    unsigned steps = 0;
    for (const clang::Stmt* each : body->body()) {
      if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(each)) {
        if (!note(declarations)) return view_operation::other;
        continue;
      }
      const auto* value = llvm::dyn_cast<clang::Expr>(each);
      const auto* ignored =
          value == nullptr ? nullptr : llvm::dyn_cast<clang::CStyleCastExpr>(value);
      if (ignored != nullptr && ignored->getType()->isVoidType()) continue;
      found = step(each);
      if (++steps > 1) return view_operation::other;
    }
    return right_type_ ? found : view_operation::other;
  }

 private:
  enum side { neither, left, right };

  // `T* l = left;` and `T r = *(T*)right;`
  bool note(const clang::DeclStmt* declarations) {
    for (const clang::Decl* each : declarations->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (variable == nullptr || variable->getInit() == nullptr) return false;
      const side pointer = pointed(variable->getInit());
      const side value = side_of(variable->getInit());
      if (variable->getType()->isReferenceType() || variable->getType()->isDependentType()) {
        if (value == neither) return false;
        values_[variable] = value;
      } else if (pointer != neither && variable->getType()->isPointerType()) {
        pointers_[variable] = pointer;
      } else if (value == right) {
        values_[variable] = value;
      } else {
        return false;
      }
    }
    return true;
  }

  side pointed(const clang::Expr* value) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(without_casts(value));
    if (name == nullptr) return neither;
    if (name->getDecl() == function_->getParamDecl(0)) return left;
    if (name->getDecl() == function_->getParamDecl(1)) return right;
    const auto found = pointers_.find(name->getDecl());
    return found == pointers_.end() ? neither : found->second;
  }

  side side_of(const clang::Expr* value) {
    value = without_casts(value);
    if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(value)) {
      if (operation->getOpcode() != clang::UO_Deref) return neither;
      const clang::QualType type = operation->getType();
      // A function that takes the memory for something else is not what it seems to be.
      if (!type->isDependentType() &&
          type.getCanonicalType().getUnqualifiedType() != view_.getCanonicalType())
        right_type_ = false;
      return pointed(operation->getSubExpr());
    }
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value);
    const auto found = name == nullptr ? values_.end() : values_.find(name->getDecl());
    return found == values_.end() ? neither : found->second;
  }

  bool are_both(const clang::Expr* one, const clang::Expr* other) {
    const side first = side_of(one);
    const side second = side_of(other);
    return first != neither && second != neither && first != second;
  }

  view_operation step(const clang::Stmt* code) {
    if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(code))
      code = whole->getSubExpr();
    if (const auto* sum = llvm::dyn_cast<clang::CompoundAssignOperator>(code))
      return side_of(sum->getLHS()) == left && side_of(sum->getRHS()) == right
                 ? of_operator(sum->getOpcode())
                 : view_operation::other;
    if (const auto* sum = llvm::dyn_cast<clang::CXXOperatorCallExpr>(code))
      return sum->getNumArgs() == 2 && side_of(sum->getArg(0)) == left &&
                     side_of(sum->getArg(1)) == right
                 ? of_operator(sum->getOperator())
                 : view_operation::other;
    if (const auto* set = llvm::dyn_cast<clang::BinaryOperator>(code)) {
      if (set->getOpcode() != clang::BO_Assign || side_of(set->getLHS()) != left)
        return view_operation::other;
      return combined(without_casts(set->getRHS()));
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
      const clang::Stmt* then = branch->getThen();
      const auto* block = llvm::dyn_cast<clang::CompoundStmt>(then);
      if (block != nullptr && block->size() == 1) then = block->body_front();
      const auto* set = llvm::dyn_cast<clang::BinaryOperator>(then);
      const bool sets = set != nullptr && set->getOpcode() == clang::BO_Assign &&
                        branch->getElse() == nullptr && side_of(set->getLHS()) == left &&
                        side_of(set->getRHS()) == right;
      return sets ? chosen(branch->getCond(), right) : view_operation::other;
    }
    return view_operation::other;
  }

  // The right side of `*left = ...`.
  view_operation combined(const clang::Expr* value) {
    if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(value))
      return are_both(both->getLHS(), both->getRHS()) ? of_operator(both->getOpcode())
                                                      : view_operation::other;
    if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
      const side first = side_of(either->getTrueExpr());
      return first != neither && are_both(either->getTrueExpr(), either->getFalseExpr())
                 ? chosen(either->getCond(), first)
                 : view_operation::other;
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
    const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
    const clang::IdentifierInfo* name = callee == nullptr ? nullptr : callee->getIdentifier();
    if (name == nullptr || !callee->isInStdNamespace() || call->getNumArgs() != 2 ||
        !are_both(call->getArg(0), call->getArg(1)))
      return view_operation::other;
    return name->isStr("max")   ? view_operation::greatest
           : name->isStr("min") ? view_operation::least
                                : view_operation::other;
  }

  // What takes `taken` if `condition` holds, and else the other one.
  view_operation chosen(const clang::Expr* condition, side taken) {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(without_casts(condition));
    if (test == nullptr || !are_both(test->getLHS(), test->getRHS())) return view_operation::other;
    const bool first = side_of(test->getLHS()) == taken;
    switch (test->getOpcode()) {
      case clang::BO_LT:
      case clang::BO_LE: return first ? view_operation::least : view_operation::greatest;
      case clang::BO_GT:
      case clang::BO_GE: return first ? view_operation::greatest : view_operation::least;
      default: return view_operation::other;
    }
  }

  const clang::FunctionDecl* function_;
  clang::QualType view_;
  bool right_type_ = true;
  llvm::DenseMap<const clang::ValueDecl*, side> pointers_;
  llvm::DenseMap<const clang::ValueDecl*, side> values_;
};

// Whether code computes with floating-point numbers in a way that rounds, or calls what might.
class rounding_finder : public tree_walker {
 public:
  bool found = false;
  bool calls = false;

  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    const bool computes =
        node->isMultiplicativeOp() || node->isAdditiveOp() || (node->isCompoundAssignmentOp());
    found = found || (computes && (node->getLHS()->getType()->isRealFloatingType() ||
                                   node->getRHS()->getType()->isRealFloatingType() ||
                                   node->getType()->isAnyComplexType()));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr*) override { return calls = true; }
};

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

// The two functions of `cilk_reducer(identity, reduce)`.
std::pair<std::string, std::string> split_functions(llvm::StringRef text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '(' || c == '<' || c == '[' ? 1 : c == ')' || c == '>' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      return {text.take_front(at).trim().str(),
              text.drop_front(at + 1).split(',').first.trim().str()};
  }
  return {};
}

// The name of a function at file scope, with the template arguments that the program gives it.
std::string whole_name(const clang::FunctionDecl* function, llvm::StringRef written) {
  const bool c = !function->getASTContext().getLangOpts().CPlusPlus;
  const std::size_t arguments = written.find('<');
  return (c ? "" : "::") + function->getQualifiedNameAsString() +
         (arguments == llvm::StringRef::npos ? "" : written.substr(arguments).str());
}

void look_at_rounding(const clang::FunctionDecl* reduce, reducer_facts& facts) {
  if (!has_floating_part(facts.view)) return;
  const clang::FunctionDecl* definition = reduce == nullptr ? nullptr : reduce->getDefinition();
  rounding_finder look;
  if (definition != nullptr) look.look_through(definition->getBody());
  const bool compares =
      facts.operation == view_operation::least || facts.operation == view_operation::greatest;
  facts.rounds = !compares && (definition == nullptr || look.found || look.calls);
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
  const clang::FunctionDecl* makes = function_named(identity, from);
  const clang::FunctionDecl* joins = function_named(reduce, from);
  if (makes == nullptr || joins == nullptr) return facts;
  facts.identity = whole_name(makes, identity);
  facts.reduce = whole_name(joins, reduce);
  if (const clang::FunctionDecl* definition = joins->getDefinition())
    facts.operation = reduce_reader(definition).read(facts.view);
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
  clang::PrintingPolicy policy(record->getASTContext().getLangOpts());
  policy.PrintCanonicalTypes = true;
  policy.SuppressTagKeyword = true;
  const std::string name = "::" + monoid.getCanonicalType().getAsString(policy);
  facts.identity = name + "().identity";
  facts.reduce = name + "().reduce";
  const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(type->getDeclContext());
  const bool known = scope != nullptr && scope->getName() == "cilk";
  if (known && type->getIdentifier() != nullptr) {
    facts.operation = llvm::StringSwitch<view_operation>(type->getName())
                          .Case("op_add", view_operation::add)
                          .Case("op_mul", view_operation::multiply)
                          .Case("op_and", view_operation::bit_and)
                          .Case("op_or", view_operation::bit_or)
                          .Case("op_xor", view_operation::bit_xor)
                          .Case("op_max", view_operation::greatest)
                          .Case("op_min", view_operation::least)
                          .Default(view_operation::other);
    facts.keeps_best =
        facts.operation == view_operation::greatest || facts.operation == view_operation::least;
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
  facts.operation = llvm::StringSwitch<view_operation>(of.starts_with("index_") ? "" : what)
                        .Case("opadd", view_operation::add)
                        .Case("opmul", view_operation::multiply)
                        .Case("opand", view_operation::bit_and)
                        .Case("opor", view_operation::bit_or)
                        .Case("opxor", view_operation::bit_xor)
                        .Case("max", view_operation::greatest)
                        .Case("min", view_operation::least)
                        .Default(view_operation::other);
  const std::string kind = of.starts_with("index_") ? (what + "_index").str() : what.str();
  const llvm::StringRef of_type = of.starts_with("index_") ? of.drop_front(6) : of;
  facts.identity = ("cilk_c_" + kind + "_identity_" + of_type).str();
  facts.reduce = ("cilk_c_" + kind + "_reduce_" + of_type).str();
  const bool compares = what == "max" || what == "min";
  facts.rounds = facts.view->isRealFloatingType() && !compares;
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
  return named_view{level == reducer_type::direct ? declaration : nullptr, value, true, false,
                    facts_of_attribute(declaration, *type)};
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
    object = operation->getArg(0);
    whole = which != clang::OO_Arrow;
  } else if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    const clang::IdentifierInfo* name = method->getIdentifier();
    if (name == nullptr || call->getNumArgs() != 0) return std::nullopt;
    object = member->getImplicitObjectArgument();
    const auto facts = facts_of_object(method->getParent());
    const bool value = facts && (facts->view->isArithmeticType() || facts->keeps_best);
    is_best = facts && facts->keeps_best && !name->isStr("view");
    const bool names = name->isStr("view") ||
                       (value && (name->isStr("get_reference") || name->isStr("get_value")));
    if (!names) return std::nullopt;
  } else {
    return std::nullopt;
  }
  const auto facts = facts_of_object(method->getParent());
  if (!facts) return std::nullopt;
  return named_view{entity(object), object, whole, is_best, *facts};
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
  return named_view{entity(place), place, true, false, *facts};
}

}  // namespace

std::optional<reducer_facts> facts_of_reducer_class(const clang::CXXRecordDecl* record) {
  return facts_of_object(record);
}

std::optional<reducer_facts> facts_of_c_reducer(clang::QualType type) {
  return facts_of_c_object(type);
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

}  // namespace cilk2chan
