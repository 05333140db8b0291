#include "normal_form/plain_reducers.hpp"

#include "analysis/reducer_types.hpp"
#include "frontend/children.hpp"
#include "frontend/tree_walker.hpp"
#include "normal_form/plain_types.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cilk2chan {
namespace {

bool is_same(const clang::ASTContext& context, const clang::Expr* one, const clang::Expr* other) {
  llvm::FoldingSetNodeID first;
  llvm::FoldingSetNodeID second;
  one->IgnoreParenImpCasts()->Profile(first, context, true);
  other->IgnoreParenImpCasts()->Profile(second, context, true);
  return first == second;
}

view_operation of_assignment(clang::BinaryOperatorKind how) {
  switch (how) {
    case clang::BO_AddAssign:
    case clang::BO_SubAssign:
    case clang::BO_Add:
    case clang::BO_Sub: return view_operation::add;
    case clang::BO_MulAssign:
    case clang::BO_Mul: return view_operation::multiply;
    case clang::BO_AndAssign:
    case clang::BO_And: return view_operation::bit_and;
    case clang::BO_OrAssign:
    case clang::BO_Or: return view_operation::bit_or;
    case clang::BO_XorAssign:
    case clang::BO_Xor: return view_operation::bit_xor;
    default: return view_operation::other;
  }
}

clang::BinaryOperatorKind of_overloaded(clang::OverloadedOperatorKind how) {
  switch (how) {
    case clang::OO_PlusEqual: return clang::BO_AddAssign;
    case clang::OO_MinusEqual: return clang::BO_SubAssign;
    case clang::OO_StarEqual: return clang::BO_MulAssign;
    case clang::OO_AmpEqual: return clang::BO_AndAssign;
    case clang::OO_PipeEqual: return clang::BO_OrAssign;
    case clang::OO_CaretEqual: return clang::BO_XorAssign;
    default: return clang::BO_Comma;
  }
}

const char* word_of(view_operation how) {
  switch (how) {
    case view_operation::add: return "add";
    case view_operation::bit_and: return "and";
    case view_operation::bit_or: return "or";
    case view_operation::bit_xor: return "xor";
    case view_operation::multiply: return "multiply";
    case view_operation::least: return "least";
    case view_operation::greatest: return "greatest";
    case view_operation::other: break;
  }
  return "";
}

// The value type of a view: of reducer_max.h's that of its member.
clang::QualType value_type(const reducer_facts& facts) {
  if (!facts.keeps_best) return facts.view;
  const clang::CXXRecordDecl* record = facts.view->getAsCXXRecordDecl();
  if (record == nullptr) return {};
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->getName() == "best_") return field->getType().getCanonicalType();
  }
  return {};
}

// Whether the copy of a view's bytes is a view.
bool is_copied_by_bytes(clang::QualType type) {
  return type->getAsCXXRecordDecl() == nullptr || can_copy_box(type);
}

}  // namespace

/// A change of a view by what the reducer's operation is.
struct plain_reducers::change {
  named_view view;
  const clang::Expr* operand = nullptr;  // null: one
  bool minus = false;
};

bool plain_reducers::has_atomic(const reducer_facts& facts) const {
  const clang::QualType type = value_type(facts);
  if (facts.operation == view_operation::other || type.isNull() || facts.rounds) return false;
  const bool compares =
      facts.operation == view_operation::least || facts.operation == view_operation::greatest;
  const auto size = source_.context.getTypeSize(type);
  return size <= 64 && (type->isIntegerType() || (compares && type->isRealFloatingType()));
}

bool plain_reducers::is_view(const clang::Expr* value, const named_view& view) {
  const auto other = view_in(source_.context, value->IgnoreParenImpCasts());
  return other && other->facts.how_declared == view.facts.how_declared &&
         is_same(source_.context, other->place, view.place);
}

// Whether `condition` compares the view with `other` so that the reducer's operation is what takes
// the view, or else `other`, if it holds.
bool plain_reducers::is_choice(const clang::Expr* condition, const named_view& view,
                               const clang::Expr* other, view_operation how, bool takes_view) {
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  if (test == nullptr || !test->isRelationalOp()) return false;
  const bool view_first = is_view(test->getLHS(), view);
  const clang::Expr* rest = view_first ? test->getRHS() : test->getLHS();
  if (!view_first && !is_view(test->getRHS(), view)) return false;
  if (!is_same(source_.context, rest, other)) return false;
  const bool less = test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_LE;
  const bool smaller_view = less == view_first;  // if the condition holds
  const bool takes_less = smaller_view == takes_view;
  return how == (takes_less ? view_operation::least : view_operation::greatest);
}

bool plain_reducers::find_call(const clang::CallExpr* call, change& found) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method == nullptr) return false;
  const auto object_of = [&](const clang::Expr* object) {
    // `view_in` knows how to name the view of an object; any of its operators would do.
    const clang::CXXRecordDecl* record = object->getType()->getAsCXXRecordDecl();
    if (!is_reducer_class(record)) return false;
    const auto facts = facts_of_reducer_class(record);
    if (!facts) return false;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object->IgnoreParenImpCasts());
    found.view = {name == nullptr ? nullptr : name->getDecl(), object, true, false, *facts};
    return true;
  };
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
    if (!is_reducer_class(method->getParent())) return false;
    const auto which = operation->getOperator();
    if (which == clang::OO_PlusPlus || which == clang::OO_MinusMinus) {
      found.minus = which == clang::OO_MinusMinus;
      return object_of(operation->getArg(0)->IgnoreParenImpCasts()) &&
             found.view.facts.operation == view_operation::add;
    }
    const clang::BinaryOperatorKind how = of_overloaded(which);
    if (how == clang::BO_Comma || call->getNumArgs() != 2) return false;
    found.operand = operation->getArg(1);
    found.minus = how == clang::BO_SubAssign;
    return object_of(operation->getArg(0)->IgnoreParenImpCasts()) &&
           found.view.facts.operation == of_assignment(how);
  }
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  const clang::IdentifierInfo* name = method->getIdentifier();
  if (member == nullptr || name == nullptr || call->getNumArgs() != 1) return false;
  if (!name->isStr("calc_max") && !name->isStr("calc_min")) return false;
  found.operand = call->getArg(0);
  const clang::Expr* object = member->getImplicitObjectArgument()->IgnoreParenImpCasts();
  if (is_reducer_class(method->getParent()))
    return object_of(object) && found.view.facts.keeps_best;
  // `r->calc_max(v)`, `(*r).calc_max(v)`.
  const auto view = view_in(source_.context, object);
  if (!view || !view->facts.keeps_best) return false;
  found.view = *view;
  found.view.whole = true;
  return true;
}

bool plain_reducers::find_change(const clang::Expr* value, change& found) {
  value = bare(value);
  const auto set_view = [&](const clang::Expr* one) {
    const auto view = view_in(source_.context, one->IgnoreParens());
    if (view) found.view = *view;
    return view.has_value();
  };
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (!step->isIncrementDecrementOp() || !set_view(step->getSubExpr())) return false;
    found.minus = step->isDecrementOp();
    return found.view.facts.operation == view_operation::add;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) return find_call(call, found);
  const auto* set = llvm::dyn_cast<clang::BinaryOperator>(value);
  if (set == nullptr || !set->isAssignmentOp() || !set_view(set->getLHS())) return false;
  const view_operation how = found.view.facts.operation;
  if (set->isCompoundAssignmentOp()) {
    found.operand = set->getRHS();
    found.minus = set->getOpcode() == clang::BO_SubAssign;
    return of_assignment(set->getOpcode()) == how;
  }
  const clang::Expr* right = set->getRHS()->IgnoreParenImpCasts();
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(right)) {
    if (of_assignment(both->getOpcode()) != how) return false;
    found.minus = both->getOpcode() == clang::BO_Sub;
    const bool first = is_view(both->getLHS(), found.view);
    if (!first && (found.minus || !is_view(both->getRHS(), found.view))) return false;
    found.operand = first ? both->getRHS() : both->getLHS();
    return true;
  }
  const auto other_of = [&](const clang::Expr* one, const clang::Expr* other) {
    const bool first = is_view(one, found.view);
    if (!first && !is_view(other, found.view)) return false;
    found.operand = first ? other : one;
    return true;
  };
  if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(right)) {
    if (!other_of(either->getTrueExpr(), either->getFalseExpr())) return false;
    const bool takes_view = is_view(either->getTrueExpr(), found.view);
    return !found.operand->HasSideEffects(source_.context) &&
           is_choice(either->getCond(), found.view, found.operand, how, takes_view);
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(right);
  const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
  const clang::IdentifierInfo* name = callee == nullptr ? nullptr : callee->getIdentifier();
  const bool known = name != nullptr && callee->isInStdNamespace() && call->getNumArgs() == 2 &&
                     ((how == view_operation::greatest && name->isStr("max")) ||
                      (how == view_operation::least && name->isStr("min")));
  return known && other_of(call->getArg(0), call->getArg(1));
}

// `if (best < value) best = value;`
bool plain_reducers::find_branch(const clang::IfStmt* code, change& found) {
  if (code->getElse() != nullptr || code->getInit() != nullptr ||
      code->getConditionVariable() != nullptr)
    return false;
  const clang::Stmt* then = code->getThen();
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(then);
  if (block != nullptr) then = block->size() == 1 ? block->body_front() : nullptr;
  const auto* set = llvm::dyn_cast_or_null<clang::Expr>(then);
  const auto* assigned =
      set == nullptr ? nullptr : llvm::dyn_cast<clang::BinaryOperator>(bare(set));
  if (assigned == nullptr || assigned->getOpcode() != clang::BO_Assign) return false;
  const auto view = view_in(source_.context, assigned->getLHS()->IgnoreParens());
  if (!view || assigned->getRHS()->HasSideEffects(source_.context)) return false;
  found.view = *view;
  found.operand = assigned->getRHS();
  return is_choice(code->getCond(), *view, found.operand, view->facts.operation, false);
}

// CILK_C_REDUCER_MAX_CALC and CILK_C_REDUCER_MIN_CALC.
bool plain_reducers::find_macro(const clang::DoStmt* code, change& found) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(code->getBody());
  if (body == nullptr || body->size() != 3 || !code->getBeginLoc().isMacroID()) return false;
  const auto variable = [&](const clang::Stmt* statement, const char* name) -> const clang::Expr* {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
    const auto* one = declaration == nullptr || !declaration->isSingleDecl()
                          ? nullptr
                          : llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
    return one != nullptr && one->getName() == name ? one->getInit() : nullptr;
  };
  const clang::Expr* best = variable(body->body_begin()[0], "cilk_c_best");
  found.operand = variable(body->body_begin()[1], "cilk_c_new");
  const auto* address =
      best == nullptr ? nullptr : llvm::dyn_cast<clang::UnaryOperator>(best->IgnoreParenImpCasts());
  if (address == nullptr || found.operand == nullptr || address->getOpcode() != clang::UO_AddrOf)
    return false;
  const auto view = view_in(source_.context, address->getSubExpr()->IgnoreParens());
  if (!view || view->facts.how_declared != reducer_facts::c_object) return false;
  found.view = *view;
  return view->facts.operation == view_operation::greatest ||
         view->facts.operation == view_operation::least;
}

bool plain_reducers::find_change(const clang::Stmt* code, change& found) {
  if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) return find_change(value, found);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) return find_branch(branch, found);
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(code)) return find_macro(loop, found);
  return false;
}

bool plain_reducers::update(const clang::Stmt* code) {
  if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) {
    // These say where a reducer of C is used, which nobody wants to know here.
    const auto* call = llvm::dyn_cast<clang::CallExpr>(bare(value));
    const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
    const clang::IdentifierInfo* name = callee == nullptr ? nullptr : callee->getIdentifier();
    if (name != nullptr && (name->isStr("cilk_c_begin") || name->isStr("cilk_c_end"))) return true;
  }
  change found;
  if (!find_change(code, found)) return false;
  const named_view& view = found.view;
  // A view of its own is a variable like others. Where the code says more than an operator does, as
  // `r.calc_max(v)`, it is no expression of a view.
  const bool is_call = llvm::isa<clang::Expr>(code) &&
                       llvm::isa<clang::CallExpr>(bare(llvm::cast<clang::Expr>(code)));
  const std::string* own = expressions_.local_view(view);
  if (own == nullptr && !is_call && llvm::isa<clang::Expr>(code) &&
      expressions_.is_alone_with(view))
    return false;
  if (own != nullptr && !is_call) return false;
  const reducer_facts& facts = view.facts;
  const clang::QualType type = value_type(facts);
  const clang::Expr* operand = found.operand;
  const bool compares =
      facts.operation == view_operation::least || facts.operation == view_operation::greatest;
  if (own == nullptr && !has_atomic(facts)) return false;
  std::string part = "1";
  if (operand != nullptr) {
    bool spawned = false;
    if (call_in(operand, &spawned) != nullptr && spawned) return false;
    while (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(bare(operand)))
      operand = made->getSubExpr();
    const clang::QualType from = operand->IgnoreParenImpCasts()->getType();
    const bool same = source_.context.hasSameUnqualifiedType(from, type);
    const bool fine = same || (compares ? keeps_value(source_.context, operand, type)
                                        : from->isIntegerType() &&
                                              (!type->isBooleanType() || from->isBooleanType() ||
                                               facts.operation == view_operation::bit_or));
    if (!fine && own == nullptr) return false;
    prepare(operand);
    part = "(" + declared(type, "") + ")(" + expressions_.text(operand) + ")";
  }
  if (own == nullptr) {
    line(combined(facts, expressions_.place(view), part, found.minus) + ";");
    return true;
  }
  if (facts.keeps_best) {
    line(*own + ".calc(" + part + ");");
    return true;
  }
  const auto* operation =
      llvm::cast<clang::CXXOperatorCallExpr>(bare(llvm::cast<clang::Expr>(code)));
  const bool step = operation->getOperator() == clang::OO_PlusPlus ||
                    operation->getOperator() == clang::OO_MinusMinus;
  const std::string word = clang::getOperatorSpelling(operation->getOperator());
  line(step ? word + *own + ";" : *own + " " + word + " " + expressions_.text(found.operand) + ";");
  return true;
}

std::string plain_reducers::helper(const reducer_facts& facts, clang::QualType type) {
  const std::string spelled = declared(type, "");
  std::string& name = helpers_[spelled + word_of(facts.operation)];
  if (!name.empty()) return name;
  name = fresh_function();
  const auto operation = [&]() -> std::string {
    switch (facts.operation) {
      case view_operation::add: return "+";
      case view_operation::multiply: return "*";
      case view_operation::bit_and: return "&";
      case view_operation::bit_or: return "|";
      default: return "^";
    }
  }();
  const bool compares =
      facts.operation == view_operation::least || facts.operation == view_operation::greatest;
  const std::string test =
      facts.operation == view_operation::least ? "cilk_part < cilk_old" : "cilk_old < cilk_part";
  const std::string next =
      compares ? "cilk_part" : "(" + spelled + ")(cilk_old " + operation + " cilk_part)";
  before_ += "static void " + name + "(" +
             declared(source_.context.getPointerType(type), "cilk_at") + ", " +
             declared(type, "cilk_part") + ") {\n" + declared(type, "cilk_old") + ";\n" +
             "__atomic_load(cilk_at, &cilk_old, __ATOMIC_RELAXED);\n" +
             (compares ? "while (" + test + ") {\n" : "for (;;) {\n") +
             declared(type, "cilk_next") + " = " + next + ";\n" +
             "if (__atomic_compare_exchange(cilk_at, &cilk_old, &cilk_next, 0, __ATOMIC_RELAXED, "
             "__ATOMIC_RELAXED)) return;\n}\n}\n";
  return name;
}

std::string plain_reducers::combined(const reducer_facts& facts, const std::string& address,
                                     const std::string& part, bool minus) {
  const clang::QualType type = value_type(facts);
  const std::string whole = minus ? "(" + declared(type, "") + ")-" + part : part;
  if (facts.keeps_best)
    return helper(facts, type) + "(&" + address + ".best_, " + whole + "), __atomic_store_n(&" +
           address + ".is_set_, true, __ATOMIC_RELAXED)";
  const auto size = source_.context.getTypeSize(type);
  const bool of_machine =
      !type->isBooleanType() && type->isIntegerType() && (size == 32 || size == 64) &&
      facts.operation != view_operation::multiply && facts.operation != view_operation::least &&
      facts.operation != view_operation::greatest;
  if (!of_machine) return helper(facts, type) + "(&" + address + ", " + whole + ")";
  return "(void)__atomic_fetch_" + std::string(word_of(facts.operation)) + "(&" + address + ", " +
         whole + ", __ATOMIC_RELAXED)";
}

bool plain_reducers::declare_reducer(const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  if (const auto attribute = reducer_of(variable)) {
    if (attribute->where != reducer_type::direct) {
      if (variable->getInit() != nullptr) expressions_.leads(variable, variable->getInit());
      return false;
    }
    expressions_.owns(variable);
    return false;  // a variable like others
  }
  const clang::Expr* value = variable->getInit();
  if (source_.is_c()) {
    const auto facts = facts_of_c_reducer(type);
    const auto* list = value == nullptr ? nullptr : llvm::dyn_cast<clang::InitListExpr>(value);
    if (!facts) return false;
    if (list == nullptr || list->getNumInits() != 2 || variable->isStaticLocal()) {
      fail();
      return true;
    }
    // Nobody calls the functions of the reducer.
    line(declared(type, variable->getNameAsString()) + ";");
    prepare(list->getInit(1));
    line(variable->getNameAsString() + ".value = " + expressions_.text(list->getInit(1)) + ";");
    expressions_.owns(variable);
    return true;
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!is_reducer_class(record)) return false;
  const auto facts = facts_of_reducer_class(record);
  const auto* made =
      value == nullptr ? nullptr : llvm::dyn_cast<clang::CXXConstructExpr>(bare(value));
  const bool fine = facts && made != nullptr && made->getNumArgs() <= 1 &&
                    !variable->isStaticLocal() && is_copied_by_bytes(facts->view);
  if (!fine) {
    fail();
    return true;
  }
  const std::string view = declared(facts->view, "");
  const std::string name = fresh();
  const std::string object = declared(type.getUnqualifiedType(), "");
  const clang::Expr* first = made->getNumArgs() == 0 ? nullptr : made->getArg(0);
  if (first != nullptr && llvm::isa<clang::CXXDefaultArgExpr>(first)) first = nullptr;
  line("cilk_box<" + view + "> " + name + ";");
  if (first != nullptr) {
    prepare(first);
    line("new (cilk_place{&" + name + "}) " + view + "(" + expressions_.text(first) + ");");
  } else {
    const std::string start = first_value(*facts);
    if (start.empty()) {
      line(facts->identity + "((" + view + "*)&" + name + ");");
    } else {
      line("new (cilk_place{&" + name + "}) " +
           (facts->keeps_best ? start : view + "(" + start + ")") + ";");
    }
  }
  expressions_.owns(variable);
  expressions_.rename(variable, "(*(" + object + "*)&" + name + ")");
  return true;
}

namespace {

// Finds the views that a loop's body uses, and what stands in the way of views of its own.
class view_finder : public tree_walker {
 public:
  explicit view_finder(const clang::ASTContext& context) : context_(context) {}

  std::vector<named_view> views;
  llvm::DenseSet<const clang::ValueDecl*> declared;
  llvm::DenseSet<const clang::ValueDecl*> changed;
  llvm::DenseSet<const clang::Expr*> places;  // what names reducers as a part of a view
  std::vector<const clang::Expr*> names;
  bool lambdas = false;

  bool TraverseStmt(clang::Stmt* code) override {
    if (const auto* value = llvm::dyn_cast_or_null<clang::Expr>(code)) {
      if (const auto view = view_in(context_, value)) {
        views.push_back(*view);
        note(view->place);
      } else if (names_reducer(value)) {
        names.push_back(value);
      }
      const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
      if (call != nullptr) look_at(call);
    }
    return tree_walker::TraverseStmt(code);
  }
  // What is not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) override { return true; }
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc) override { return true; }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.insert(variable);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (node->isIncrementDecrementOp() || node->getOpcode() == clang::UO_AddrOf)
      change(node->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    if (node->isAssignmentOp()) change(node->getLHS());
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return lambdas = true; }

 private:
  void note(const clang::Expr* place) {
    place = place->IgnoreParenImpCasts();
    places.insert(place);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) note(member->getBase());
    if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(place)) note(step->getSubExpr());
  }
  // Members of objects that are reducers, which change views themselves.
  void look_at(const clang::CallExpr* call) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (method == nullptr || !is_reducer_class(method->getParent())) return;
    const clang::Expr* object = nullptr;
    if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call))
      object = operation->getArg(0);
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
      object = member->getImplicitObjectArgument();
    const auto facts = facts_of_reducer_class(method->getParent());
    if (object == nullptr || !facts) return;
    object = object->IgnoreParenImpCasts();
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object);
    views.push_back({name == nullptr ? nullptr : name->getDecl(), object, true, false, *facts});
    note(object);
  }
  void change(const clang::Expr* value) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value->IgnoreParens());
    if (name != nullptr && !reducer_of(llvm::dyn_cast<clang::VarDecl>(name->getDecl())))
      changed.insert(name->getDecl());
  }

  const clang::ASTContext& context_;
};

// Whether the place of a reducer is the same in all iterations.
bool stays_the_same(const clang::Expr* place, const view_finder& loop) {
  place = place->IgnoreParenImpCasts();
  if (llvm::isa<clang::CXXThisExpr>(place)) return true;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place))
    return !loop.declared.contains(name->getDecl()) && !loop.changed.contains(name->getDecl());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
    return stays_the_same(member->getBase(), loop);
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(place))
    return step->getOpcode() == clang::UO_Deref && stays_the_same(step->getSubExpr(), loop);
  return false;
}

}  // namespace

std::vector<chunk_view> plain_reducers::chunk_views(const clang::ForStmt* code) {
  if (has_cilk(code->getBody())) return {};
  view_finder look(source_.context);
  look.look_through(code->getInit());
  look.look_through(code->getBody());
  std::vector<chunk_view> found;
  const bool odd = look.lambdas || std::ranges::any_of(look.names, [&](const clang::Expr* one) {
                     return !look.places.contains(one);
                   });
  if (odd) return {};
  for (const named_view& one : look.views) {
    if (!stays_the_same(one.place, look)) return {};
    chunk_view made{expressions_.place(one), one.facts, "", ""};
    const auto known = [&](const chunk_view& each) { return each.place == made.place; };
    if (std::ranges::any_of(found, known)) continue;
    const bool alone = expressions_.is_alone_with(one);
    const bool ordered = alone && !one.facts.rounds && !one.facts.reduce.empty() &&
                         is_copied_by_bytes(one.facts.view) && !expressions_.local_view(one);
    const bool any_order = has_atomic(one.facts);
    if (!any_order && !ordered) return {};
    made.name = fresh();
    if (!any_order) made.views = fresh();
    found.push_back(made);
  }
  return found;
}

std::string plain_reducers::first_value(const reducer_facts& facts) {
  const std::string type = declared(facts.view, "");
  if (facts.keeps_best) return type + "()";
  if (!facts.view->isArithmeticType()) return {};
  const auto value = [&](const char* text) { return "((" + type + ")" + text + ")"; };
  switch (facts.operation) {
    case view_operation::add:
    case view_operation::bit_or:
    case view_operation::bit_xor: return value("0");
    case view_operation::multiply: return value("1");
    case view_operation::bit_and: return facts.view->isBooleanType() ? value("1") : value("~0");
    default: return {};
  }
}

bool plain_reducers::is_boxed_view(const reducer_facts& facts) const {
  return !source_.is_c() && facts.view->getAsCXXRecordDecl() != nullptr;
}

void plain_reducers::declare_views(const std::vector<chunk_view>& views,
                                   const std::string& length) {
  for (const chunk_view& one : views) {
    if (one.views.empty()) continue;
    line((is_boxed_view(one.facts) ? "cilk_box<" + declared(one.facts.view, "") + "> " + one.views
                                   : declared(one.facts.view, one.views)) +
         "[" + length + "];");
  }
}

void plain_reducers::reduce_views(const std::vector<chunk_view>& views, const std::string& length) {
  for (const chunk_view& one : views) {
    if (one.views.empty()) continue;
    const std::string index = fresh();
    const char* key = one.facts.how_declared == reducer_facts::c_object ? "(0, &" : "(&";
    line("for (long " + index + " = 0; " + index + " < " + length + "; ++" + index + ")");
    line(one.facts.reduce + key + one.place + ", &" + one.views + "[" + index + "]" +
         (is_boxed_view(one.facts) ? ".value()" : "") + ");");
  }
}

void plain_reducers::begin_views(const std::vector<chunk_view>& views) {
  for (const chunk_view& one : views) {
    const reducer_facts& facts = one.facts;
    const std::string pointer = declared(source_.context.getPointerType(facts.view), "");
    if (!one.views.empty() || facts.keeps_best) {
      if (!is_boxed_view(facts)) {
        line(declared(facts.view, one.name) + ";");
      } else {
        line("cilk_box<" + declared(facts.view, "") + "> " + one.name + "_bytes;");
        line(declared(source_.context.getLValueReferenceType(facts.view), one.name) + " = " +
             one.name + "_bytes.value();");
      }
      const char* key = facts.how_declared == reducer_facts::c_object ? "(0, &" : "(&";
      line(facts.keeps_best
               ? "new (cilk_place{&" + one.name + "_bytes}) " + first_value(facts) + ";"
               : facts.identity + key + one.name + ");");
    } else if (const std::string start = first_value(facts); !start.empty()) {
      line(declared(facts.view, one.name) + " = " + start + ";");
    } else {
      // What it has so far does not count twice.
      line(declared(facts.view, one.name) + ";");
      line("__atomic_load(&" + one.place + ", &" + one.name + ", __ATOMIC_RELAXED);");
    }
    expressions_.has_view(one.place, one.name);
  }
}

void plain_reducers::end_views(const std::vector<chunk_view>& views, const std::string& index) {
  for (const chunk_view& one : views) {
    expressions_.forget_view(one.place);
    if (!one.views.empty()) {
      const std::string box =
          is_boxed_view(one.facts) ? "cilk_box<" + declared(one.facts.view, "") + ">" : "";
      line(one.views + "[" + index + "] = " + box + "(" + one.name + ");");
    } else if (one.facts.keeps_best) {
      line("if (" + one.name + ".is_set_) " + combined(one.facts, one.place, one.name + ".best_") +
           ";");
    } else {
      line(combined(one.facts, one.place, one.name) + ";");
    }
  }
}

}  // namespace cilk2chan
