#include "normal_form/plain_effects.hpp"

#include "analysis/change_visitor.hpp"
#include "frontend/children.hpp"
#include "frontend/keywords.hpp"
#include "normal_form/plain_types.hpp"

#include <optional>

namespace cilk2chan {
namespace {

// The variables that an expression uses, and those that it changes.
class changed_variables : public change_visitor {
 public:
  explicit changed_variables(const clang::Expr* code) { look_through(code); }

  [[nodiscard]] bool change_used_by(const changed_variables& other) const {
    return llvm::any_of(changed_, [&](const auto* one) { return other.used_.contains(one); });
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    used_.insert(name->getDecl());
    return true;
  }

 private:
  void change(const clang::Expr* place) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParenImpCasts());
    if (name != nullptr) changed_.insert(name->getDecl());
  }

  llvm::DenseSet<const clang::ValueDecl*> used_;
  llvm::DenseSet<const clang::ValueDecl*> changed_;
};

}  // namespace

void plain_effects::expression(const clang::Expr* whole) {
  const std::size_t before = temporary_objects();
  effect(whole);
  end_temporaries(before);
}

void plain_effects::effect(const clang::Expr* whole) {
  if (is_sync(whole, source_.sources)) return sync();
  if (update(whole)) return;
  const clang::Expr* value = bare(whole);
  if (const auto* inside = llvm::dyn_cast<clang::ParenExpr>(value))
    return effect(inside->getSubExpr());
  bool is_spawned = false;
  if (const clang::CallExpr* call = call_in(value, &is_spawned)) {
    prepare_arguments(value);
    const clang::QualType result = call->getCallReturnType(source_.context);
    if (!is_held(source_.context, result)) return line(child(value) + ";");
    const std::string name = fresh();
    line(boxed(result.getUnqualifiedType(), name) + " = " + child(value) + ";");
    return hold(name, is_spawned);
  }
  if (const auto* sum = llvm::dyn_cast<clang::CompoundAssignOperator>(value)) {
    bool spawned = false;
    if (call_in(sum->getRHS(), &spawned) != nullptr && spawned) return add_later(sum);
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    if (binary->getOpcode() == clang::BO_Assign && is_child(binary->getRHS())) {
      if (is_place_too_early(binary->getLHS(), binary->getRHS()))
        return fail(reasons::place_changes);
      prepare(binary->getLHS());
      prepare_arguments(binary->getRHS());
      return assign(binary);
    }
    if (binary->getOpcode() == clang::BO_Comma && has_cilk(binary)) {
      expression(binary->getLHS());
      return expression(binary->getRHS());
    }
    if (binary->isLogicalOp() && calls(binary->getRHS())) {
      const bool both = binary->getOpcode() == clang::BO_LAnd;
      prepare(binary->getLHS());
      line("if (" + std::string(both ? "" : "!") + "(" + expressions_.text(binary->getLHS()) +
           ")) {");
      ++branches_;
      expression(binary->getRHS());
      --branches_;
      return line("}");
    }
  }
  if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
    if (calls(either->getTrueExpr()) || calls(either->getFalseExpr())) {
      prepare(either->getCond());
      line("if (" + expressions_.text(either->getCond()) + ") {");
      ++branches_;
      expression(either->getTrueExpr());
      line("} else {");
      expression(either->getFalseExpr());
      --branches_;
      return line("}");
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value)) {
    const bool sets = call->getOperator() == clang::OO_Equal && is_child(call->getArg(1));
    const clang::QualType type = call->getArg(0)->getType().getUnqualifiedType();
    if (sets && is_held(source_.context, type)) {
      if (assign_object(call)) return;
    } else if (sets) {
      if (is_place_too_early(call->getArg(0), call->getArg(1))) return fail(reasons::place_changes);
      prepare(call->getArg(0));
      prepare_arguments(call->getArg(1));
      if (!is_boxed(source_.context, type) && !call->getArg(0)->HasSideEffects(source_.context))
        return line(expressions_.text(call->getArg(0)) + " = " + child(call->getArg(1)) + ";");
      // A task knows where its result goes before it begins.
      const std::string kept =
          is_boxed(source_.context, type) ? boxed(type, "") : declared(type, "");
      const std::string pointer = fresh();
      line(kept + "* " + pointer + " = (" + kept + "*)" + expressions_.address(call->getArg(0)) +
           ";");
      return line("*" + pointer + " = " + child(call->getArg(1)) + ";");
    }
  }
  prepare(value);
  line(expressions_.text(value) + ";");
}

// Since C++17 an assignment evaluates its right side first. A plain form has the place first: this
// says whether that makes a difference, because one side changes what the other uses.
bool plain_effects::is_place_too_early(const clang::Expr* place, const clang::Expr* value) const {
  if (!source_.context.getLangOpts().CPlusPlus17) return false;
  const changed_variables by_place(place);
  const changed_variables by_value(value);
  return by_place.change_used_by(by_value) || by_value.change_used_by(by_place);
}

// `object = cilk_spawn f()`. Returns false where nothing is spawned.
bool plain_effects::assign_object(const clang::CXXOperatorCallExpr* whole) {
  bool spawned = false;
  (void)call_in(whole->getArg(1), &spawned);
  if (!spawned) return false;
  if (is_place_too_early(whole->getArg(0), whole->getArg(1))) {
    fail(reasons::place_changes);
    return true;
  }
  prepare(whole->getArg(0));
  prepare_arguments(whole->getArg(1));
  store_object(whole->getArg(1), whole->getArg(0)->getType().getUnqualifiedType(),
               expressions_.address(whole->getArg(0)));
  return true;
}

void plain_effects::store_object(const clang::Expr* spawn, clang::QualType type,
                                 const std::string& place) {
  store_in_task(spawn, type, place, "*cilk_place = cilk_part.moved();\ncilk_part.end()");
}

void plain_effects::assign(const clang::BinaryOperator* whole) {
  const clang::QualType to = whole->getLHS()->getType().getUnqualifiedType();
  bool spawned = false;
  const clang::CallExpr* call = call_in(whole->getRHS(), &spawned);
  const clang::QualType from = call->getCallReturnType(source_.context);
  const clang::Expr* place = whole->getLHS();
  const bool effects = place->HasSideEffects(source_.context);
  if (spawned && place->refersToBitField()) return set_later(whole);
  if (spawned && is_converted(to, from)) {
    return store_in_task(whole->getRHS(), to, expressions_.address(place),
                         "*cilk_place = cilk_part");
  }
  // A task knows where its result goes before it begins.
  if (spawned && effects) {
    const std::string pointer = fresh();
    line(declared(source_.context.getPointerType(place->getType()), pointer) + " = " +
         expressions_.address(place) + ";");
    return line("*" + pointer + " = " + child(whole->getRHS()) + ";");
  }
  if (spawned || (!effects && source_.context.hasSameUnqualifiedType(to, from)))
    return line(expressions_.text(place) + " = " + child(whole->getRHS()) + ";");
  const std::string name = fresh();
  line(declared(from.getUnqualifiedType(), name) + " = " + child(whole->getRHS()) + ";");
  line(expressions_.text(place) + " = " + name + ";");
}

void plain_effects::set_later(const clang::BinaryOperator* whole) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(whole->getLHS()->IgnoreParens());
  if (member == nullptr) return fail(reasons::hidden_bit_field);
  const clang::Expr* base = member->getBase();
  const clang::CallExpr* call = call_in(whole->getRHS());
  const clang::QualType from = call->getCallReturnType(source_.context).getUnqualifiedType();
  const clang::QualType object = member->isArrow()
                                     ? base->getType().getUnqualifiedType()
                                     : source_.context.getPointerType(base->getType());
  const std::string text = child(whole->getRHS());
  const std::string pointer = fresh();
  line(declared(object, pointer) + " = " +
       (member->isArrow() ? expressions_.text(base) : expressions_.address(base)) + ";");
  const std::string value = fresh();
  line(declared(from, value) + " = " + text + ";");
  blocks_.back().sums.push_back(
      {pointer + "->" + member->getMemberDecl()->getNameAsString(), "=", value});
}

void plain_effects::add_later(const clang::CompoundAssignOperator* sum) {
  const clang::Expr* place = sum->getLHS();
  const clang::CallExpr* call = call_in(sum->getRHS());
  const clang::QualType from = call->getCallReturnType(source_.context).getUnqualifiedType();
  if (is_place_too_early(place, sum->getRHS())) return fail(reasons::place_changes);
  prepare(place);
  prepare_arguments(sum->getRHS());
  if (place->HasSideEffects(source_.context)) return fail(reasons::place_has_effects);
  if (loops_ > 0 && can_add_atomically(sum)) return add_in_task(sum);
  const std::string text = child(sum->getRHS());
  std::string where = expressions_.text(place);
  // What the place depends on may change up to the sync.
  if (!llvm::isa<clang::DeclRefExpr>(place->IgnoreParens())) {
    if (place->refersToBitField()) return fail(reasons::sum_in_bit_field);
    const std::string pointer = fresh();
    line(declared(source_.context.getPointerType(place->getType()), pointer) + " = " +
         expressions_.address(place) + ";");
    where = "*" + pointer;
  }
  const std::string value = fresh();
  line(declared(from, value) + " = " + text + ";");
  if (expressions_.names().calculates) {
    const std::string stored = expressions_.complex.sum(expressions_, sum, where, value, from);
    if (!stored.empty()) return blocks_.back().sums.push_back({where, "=", stored});
  }
  blocks_.back().sums.push_back(
      {where, clang::BinaryOperator::getOpcodeStr(sum->getOpcode()).str(), value});
}

bool plain_effects::can_add_atomically(const clang::CompoundAssignOperator* sum) const {
  const clang::QualType type = sum->getLHS()->getType();
  const auto size = source_.context.getTypeSize(type);
  const clang::BinaryOperatorKind how = sum->getOpcode();
  const bool commutes = how == clang::BO_AddAssign || how == clang::BO_SubAssign ||
                        how == clang::BO_AndAssign || how == clang::BO_OrAssign ||
                        how == clang::BO_XorAssign;
  return commutes && type->isIntegerType() && !type->isBooleanType() &&
         !type.isVolatileQualified() && (size == 32 || size == 64) &&
         sum->getRHS()->getType()->isIntegerType() && !sum->getLHS()->refersToBitField();
}

void plain_effects::add_in_task(const clang::CompoundAssignOperator* sum) {
  const char* how = sum->getOpcode() == clang::BO_AddAssign   ? "add"
                    : sum->getOpcode() == clang::BO_SubAssign ? "sub"
                    : sum->getOpcode() == clang::BO_AndAssign ? "and"
                    : sum->getOpcode() == clang::BO_OrAssign  ? "or"
                                                              : "xor";
  const clang::QualType to = sum->getLHS()->getType().getUnqualifiedType();
  store_in_task(sum->getRHS(), to, expressions_.address(sum->getLHS()),
                std::string("__atomic_fetch_") + how + "(cilk_place, (" + declared(to, "") +
                    ")cilk_part, __ATOMIC_RELAXED)");
}

void plain_effects::store_in_task(const clang::Expr* spawn, clang::QualType to,
                                  const std::string& place, const std::string& store) {
  const std::string text = child(spawn).substr(spawn_word.size());
  const clang::CallExpr* call = call_in(spawn);
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const std::size_t open = text.find('(');
  if (open == std::string::npos) return fail(reasons::operator_result);
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const bool has_object = method != nullptr && method->isInstance();
  if (has_object && llvm::isa<clang::CXXOperatorCallExpr>(call))
    return fail(reasons::operator_result);
  const std::string name = fresh_function();
  std::string parameters = declared(source_.context.getPointerType(to), "cilk_place");
  std::string inside;
  const auto add = [&](const std::optional<std::string>& parameter, const std::string& own) {
    if (!parameter) fail(reasons::type_without_name);
    parameters += ", " + parameter.value_or("");
    inside += (inside.empty() ? "" : ", ") + own;
  };
  if (has_object)
    add(plain_type(source_.context,
                   source_.context.getPointerType(method->getFunctionObjectParameterType()),
                   "cilk_object"),
        "cilk_object");
  if (callee == nullptr)
    add(plain_type(source_.context, call->getCallee()->getType().getUnqualifiedType(),
                   dispatched_pointer),
        dispatched_pointer);
  unsigned number = 0;
  for (const clang::QualType type : types_passed(call)) {
    const std::string own = "cilk_argument_" + std::to_string(++number);
    add(plain_variable(source_.context, type.getUnqualifiedType(), own), own);
  }
  for (const unsigned kind : expressions_.names().views_of(call))
    add(views_parameter(kind), views_name(kind));
  const clang::QualType from = call->getCallReturnType(source_.context).getUnqualifiedType();
  before_ += "static void " + name + "(" + parameters + ") {\n" + boxed(from, "cilk_part") + " = " +
             text.substr(0, open) + "(" + inside + ");\n" + store + ";\n}\n";
  const std::string arguments = text.substr(open + 1, text.size() - open - 2);
  line(spawn_word.str() + name + "(" + place + (arguments.empty() ? "" : ", ") + arguments + ");");
}

bool plain_effects::is_converted(clang::QualType to, clang::QualType from) const {
  return to->isArithmeticType() && from->isArithmeticType() &&
         !source_.context.hasSameUnqualifiedType(to, from);
}

}  // namespace cilk2chan
