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

// A value without the temporary object that holds it.
const clang::Expr* value_in(const clang::Expr* value) {
  while (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(bare(value)))
    value = made->getSubExpr();
  return value;
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

}  // namespace

bool is_copied_by_bytes(clang::QualType type) {
  return type->getAsCXXRecordDecl() == nullptr || can_copy_box(type);
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
    found.view = {name == nullptr ? nullptr : name->getDecl(), object, false, true, false, *facts};
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
    if (!operation->isAssignmentOp()) return false;
    const clang::Expr* object = operation->getArg(0)->IgnoreParenImpCasts();
    found.overloaded = clang::BinaryOperator::getOverloadedOpcode(which);
    found.operand = operation->getArg(1);
    // `r = r + n`
    const auto* both =
        llvm::dyn_cast<clang::CXXOperatorCallExpr>(value_in(found.operand)->IgnoreParenImpCasts());
    if (which == clang::OO_Equal && both != nullptr && both->isInfixBinaryOp() &&
        is_same(source_.context, both->getArg(0)->IgnoreParenImpCasts(), object)) {
      found.overloaded = clang::BinaryOperator::getOverloadedOpcode(both->getOperator());
      found.operand = both->getArg(1);
    }
    found.minus = found.overloaded == clang::BO_SubAssign || found.overloaded == clang::BO_Sub;
    const view_operation how = of_assignment(found.overloaded);
    return how != view_operation::other && object_of(object) && found.view.facts.operation == how;
  }
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  const clang::IdentifierInfo* name = method->getIdentifier();
  if (member == nullptr || name == nullptr || call->getNumArgs() != 1) return false;
  if (!name->isStr("calc_max") && !name->isStr("calc_min")) return false;
  found.operand = call->getArg(0);
  const clang::Expr* object =
      reducer_behind(member->getImplicitObjectArgument())->IgnoreParenImpCasts();
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
  return compares(view->facts.operation);
}

bool plain_reducers::find_change(const clang::Stmt* code, change& found) {
  if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) return find_change(value, found);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) return find_branch(branch, found);
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(code)) return find_macro(loop, found);
  return false;
}

bool plain_reducers::is_atomic(const change& one) const {
  const reducer_facts& facts = one.view.facts;
  if (!reduces_in_any_order(source_.context, facts)) return false;
  if (one.operand == nullptr) return true;
  const clang::QualType type = value_type(facts);
  const clang::Expr* operand = value_in(one.operand);
  const clang::QualType from = operand->IgnoreParenImpCasts()->getType();
  if (source_.context.hasSameUnqualifiedType(from, type)) return true;
  if (compares(facts.operation)) return keeps_value(source_.context, operand, type);
  return from->isIntegerType() && (!type->isBooleanType() || from->isBooleanType() ||
                                   facts.operation == view_operation::bit_or);
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
  const std::optional<std::string> own = expressions_.local_view(view);
  if (!own && !is_call && llvm::isa<clang::Expr>(code) && expressions_.is_alone_with(view))
    return false;
  const auto of_loop = own ? loop_views_.find(*own) : loop_views_.end();
  if (own && !is_call && of_loop == loop_views_.end()) return false;
  const reducer_facts& facts = view.facts;
  const clang::QualType type = value_type(facts);
  const clang::Expr* operand = found.operand;
  if (!own && !is_atomic(found)) return false;
  std::string part = "1";
  if (operand != nullptr) {
    bool spawned = false;
    if (call_in(operand, &spawned) != nullptr && spawned) return false;
    operand = value_in(operand);
    prepare(operand);
    part = "(" + declared(type, "") + ")(" + expressions_.text(operand) + ")";
  }
  if (of_loop != loop_views_.end()) {
    change_loop_view(of_loop->second, found, part);
    return true;
  }
  if (!own) {
    line(combined(facts, expressions_.place(view), part, found.minus) + ";");
    return true;
  }
  if (facts.keeps_best) {
    line(*own + ".calc(" + part + ");");
    return true;
  }
  if (found.operand == nullptr) {
    line((found.minus ? "--" : "++") + *own + ";");
  } else {
    const std::string word = clang::BinaryOperator::getOpcodeStr(found.overloaded).str();
    const bool assigns = clang::BinaryOperator::isAssignmentOp(found.overloaded);
    line(*own + " " + word + (assigns ? " " : "= ") + part + ";");
  }
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
  const bool keeps_one = compares(facts.operation);
  const std::string test =
      facts.operation == view_operation::least ? "cilk_part < cilk_old" : "cilk_old < cilk_part";
  const std::string next =
      keeps_one ? "cilk_part" : "(" + spelled + ")(cilk_old " + operation + " cilk_part)";
  before_ += "static void " + name + "(" +
             declared(source_.context.getPointerType(type), "cilk_at") + ", " +
             declared(type, "cilk_part") + ") {\n" + declared(type, "cilk_old") + ";\n" +
             "__atomic_load(cilk_at, &cilk_old, __ATOMIC_RELAXED);\n" +
             (keeps_one ? "while (" + test + ") {\n" : "for (;;) {\n") +
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
  const bool of_machine = !type->isBooleanType() && type->isIntegerType() &&
                          (size == 32 || size == 64) &&
                          facts.operation != view_operation::multiply && !compares(facts.operation);
  if (!of_machine) return helper(facts, type) + "(&" + address + ", " + whole + ")";
  return "(void)__atomic_fetch_" + std::string(word_of(facts.operation)) + "(&" + address + ", " +
         whole + ", __ATOMIC_RELAXED)";
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
      fail(reasons::reducer_without_view, variable->getLocation());
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
  const bool by_bytes = facts && is_copied_by_bytes(facts->view);
  const bool fine = facts && made != nullptr && made->getNumArgs() <= 1 &&
                    !variable->isStaticLocal() && (by_bytes || expressions_.kind_of(*facts));
  if (!fine) {
    fail(reasons::reducer_without_view, variable->getLocation());
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
  if (!by_bytes) blocks_.back().objects.push_back(name);
  expressions_.owns(variable);
  expressions_.rename(variable, "(*(" + object + "*)&" + name + ")");
  return true;
}

}  // namespace cilk2chan
