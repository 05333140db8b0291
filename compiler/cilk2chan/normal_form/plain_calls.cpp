#include "normal_form/plain_calls.hpp"

#include "analysis/made_places.hpp"
#include "frontend/children.hpp"
#include "frontend/keywords.hpp"
#include "frontend/spelling.hpp"  // dispatched_object
#include "frontend/tree_walker.hpp"
#include "normal_form/plain_types.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace cilk2chan {
namespace {

// Looks for spawns, syncs, parallel loops and calls of functions with a plain form.
class cilk_finder : public tree_walker {
 public:
  cilk_finder(const parsed_file& source, const plain_expressions& expressions)
      : source_(source), expressions_(expressions) {}

  bool any = false;  // of these
  // A call of a function with a plain form, that has no name yet, or a statement expression.
  bool calls = false;
  bool spawns = false;

  bool TraverseStmt(clang::Stmt* code) override {
    const auto* value = llvm::dyn_cast_or_null<clang::Expr>(code);
    if (value != nullptr && expressions_.is_replaced(value)) return true;
    return tree_walker::TraverseStmt(code);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    spawns = spawns || is_spawn(node, source_.sources);
    any = any || spawns;
    return true;
  }
  bool VisitParenExpr(clang::ParenExpr* node) override {
    any = any || is_sync(node, source_.sources);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* node) override {
    any = any || is_parallel_for(node->getForLoc(), source_.sources) ||
          is_spawned_block(node->getForLoc(), source_.sources);
    return true;
  }
  // Its body is a function of its own.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    for (clang::Expr* one : lambda->capture_inits()) TraverseStmt(one);
    return true;
  }
  bool TraverseStmtExpr(clang::StmtExpr* node) override {
    calls = true;
    return tree_walker::TraverseStmtExpr(node);
  }
  bool VisitCallExpr(clang::CallExpr* node) override {
    if (expressions_.calls_plain(node)) any = calls = true;
    return true;
  }

 private:
  const parsed_file& source_;
  const plain_expressions& expressions_;
};

// Whether C++ evaluates the first operand before the second: `a << b`, `a[b]`.
bool is_in_order(const clang::Expr* value) {
  if (llvm::isa<clang::ArraySubscriptExpr>(value)) return true;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) return binary->isShiftOp();
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value);
  return call != nullptr && (call->getOperator() == clang::OO_LessLess ||
                             call->getOperator() == clang::OO_GreaterGreater ||
                             call->getOperator() == clang::OO_Subscript);
}

// The object of a member's call, if it is a temporary one: `functor(a).run(n)`, `[&] { ... }()`.
const clang::Expr* temporary_object(const clang::CallExpr* call) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method == nullptr || !method->isInstance()) return nullptr;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  if (member != nullptr && member->isArrow()) return nullptr;
  const clang::Expr* object = member != nullptr ? member->getBase() : call->getArg(0);
  return is_temporary(object) ? object : nullptr;
}

// Whether a copy of the object may take its place: nothing of it is left when the call is over.
bool can_be_held(const clang::Expr* object, clang::QualType result) {
  const clang::CXXRecordDecl* record = object->getType()->getAsCXXRecordDecl();
  return record != nullptr && record->hasDefinition() && can_copy_box(object->getType()) &&
         (result->isVoidType() || result->isArithmeticType() || result->isEnumeralType());
}

cilk_finder find_in(const parsed_file& source, const plain_expressions& expressions,
                    const clang::Stmt* code) {
  cilk_finder finder(source, expressions);
  finder.look_through(code);
  return finder;
}

}  // namespace

bool plain_calls::has_cilk(const clang::Stmt* code) const {
  return find_in(source_, expressions_, code).any;
}

bool plain_calls::spawns(const clang::Stmt* code) const {
  return find_in(source_, expressions_, code).spawns;
}

bool plain_calls::calls(const clang::Stmt* code) const {
  return code != nullptr && find_in(source_, expressions_, code).calls;
}

const clang::CallExpr* plain_calls::call_in(const clang::Expr* value, bool* spawned) const {
  value = bare(value);
  bool spawn = false;
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (!is_spawn(node, source_.sources)) return nullptr;
    spawn = true;
    value = bare(node->getSubExpr());
    while (const auto* inside = llvm::dyn_cast<clang::ParenExpr>(value))
      value = bare(inside->getSubExpr());
  }
  if (expressions_.is_replaced(value)) return nullptr;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
  if (call == nullptr) return nullptr;
  if (spawned != nullptr) *spawned = spawn;
  return spawn || expressions_.calls_plain(call) ? call : nullptr;
}

void plain_calls::prepare_arguments(const clang::Expr* value) {
  bool spawned = false;
  const clang::CallExpr* call = call_in(value, &spawned);
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens()))
    prepare(member->getBase());
  else if (callee == nullptr)
    prepare(call->getCallee());
  const std::vector<clang::QualType> types = types_passed(call);
  const bool shifted = llvm::isa<clang::CXXOperatorCallExpr>(call) &&
                       llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee);
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const clang::Expr* argument = call->getArg(i);
    const unsigned at = shifted ? i - 1 : i;
    const bool known = !(shifted && i == 0) && at < types.size();
    const clang::QualType type = known ? types[at] : clang::QualType();
    if (known && pass_on(argument, type)) continue;
    const clang::QualType passed = known ? type : argument->getType();
    if (may_point(passed) && !is_held(source_.context, passed)) {
      const clang::Expr* held = argument;
      // A temporary object that a reference refers to is a variable below.
      if (known && type->isReferenceType() && is_temporary(argument)) {
        if (const auto* full = llvm::dyn_cast<clang::FullExpr>(held)) held = full->getSubExpr();
        held = held->IgnoreImpCasts();
        if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(held))
          held = made->getSubExpr();
      }
      keep_places(held, true, spawned);
    }
    prepare(argument);
    if (!known) continue;
    if (!type->isReferenceType()) continue;
    const clang::Expr* bound = argument;
    if (const auto* usual = llvm::dyn_cast<clang::CXXDefaultArgExpr>(bound))
      bound = usual->getExpr();
    if (!is_temporary(bound)) continue;
    const clang::QualType object = type.getNonReferenceType().getUnqualifiedType();
    const std::string name = fresh();
    const bool box = is_boxed(source_.context, object);
    line(boxed(object, name) + " = " + expressions_.converted(bound, object) + ";");
    expressions_.replace(bound, box ? name + ".value()" : name);
    blocks_.back().lends = blocks_.back().lends || spawned;
    if (is_held(source_.context, object)) hold(name, spawned);
  }
}

void plain_calls::keep_places(const clang::Expr* value, bool temporaries, bool spawned) {
  const made_places places = find_places(value);
  for (const clang::Expr* each : places.found) {
    const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(each);
    const clang::QualType type = each->getType().getUnqualifiedType();
    if (expressions_.is_replaced(each)) continue;
    if (literal == nullptr && (!temporaries || has_pointers_only(type))) continue;
    const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(each);
    const clang::Expr* from = literal != nullptr ? literal->getInitializer() : made->getSubExpr();
    if (places.conditional) return fail(reasons::conditional_place);
    if (literal == nullptr && type->isArrayType()) return fail(reasons::temporary_array);
    prepare(from);
    const std::string name = fresh();
    const bool box = is_boxed(source_.context, type);
    line(boxed(type, name) + " = " +
         (box ? expressions_.converted(from, type) : expressions_.text(from)) + ";");
    expressions_.replace(each, box ? name + ".value()" : name);
    if (literal != nullptr) continue;
    blocks_.back().lends = blocks_.back().lends || spawned;
    if (is_held(source_.context, type)) hold(name, spawned);
  }
}

std::vector<clang::QualType> plain_calls::types_passed(const clang::CallExpr* call) {
  std::vector<clang::QualType> types;
  if (const clang::FunctionDecl* callee = defined_callee(call)) {
    for (const clang::ParmVarDecl* one : callee->parameters()) types.push_back(one->getType());
    return types;
  }
  const clang::QualType pointer = call->getCallee()->getType();
  if (!pointer->isFunctionPointerType()) return types;
  if (const auto* known = pointer->getPointeeType()->getAs<clang::FunctionProtoType>())
    types = known->getParamTypes().vec();
  return types;
}

// An argument that is a call of a function with a plain form: its object is the argument.
bool plain_calls::pass_on(const clang::Expr* argument, clang::QualType type) {
  if (type->isReferenceType() || !is_held(source_.context, type)) return false;
  bool spawned = false;
  const clang::CallExpr* call = call_in(argument, &spawned);
  if (call == nullptr || spawned ||
      !source_.context.hasSameUnqualifiedType(type, call->getCallReturnType(source_.context)))
    return false;
  prepare_arguments(argument);
  const std::string name = fresh();
  line(boxed(type.getUnqualifiedType(), name) + " = " + child(argument) + ";");
  expressions_.pass_on(call, name);
  expressions_.replace(call, name + ".moved()");
  return true;
}

void plain_calls::hold(const std::string& name, bool spawned) {
  if (!spawned) return is_temporary_object(name);
  // The child may use it until it is joined.
  if (branches_ > 0) fail(reasons::conditional_place);
  blocks_.back().objects.push_back(name);
}

std::string plain_calls::condition(const clang::Expr* value) {
  const std::size_t before = temporary_objects();
  prepare(value);
  const std::string text = expressions_.text(value);
  if (temporary_objects() == before) return text;
  const std::string name = fresh();
  const clang::QualType type = value->getType().getUnqualifiedType();
  line(declared(type, name) + " = " + text + ";");
  end_temporaries(before);
  return name;
}

std::string plain_calls::child(const clang::Expr* value) {
  bool spawned = false;
  const clang::CallExpr* call = call_in(value, &spawned);
  const std::string keyword = spawned ? spawn_word.str() : "";
  if (spawned) {
    expressions_.is_quiet = false;
    for (const unsigned kind : expressions_.names().views_of(call)) gives_views(kind);
  }
  const bool direct = expressions_.plain_callee(call) != nullptr && !temporary_object(call);
  return keyword + (direct ? expressions_.call(call) : through_wrapper(call));
}

std::string plain_calls::through_wrapper(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const bool references =
      callee != nullptr && std::ranges::any_of(callee->parameters(), [](const auto* one) {
        return one->getType()->isReferenceType();
      });
  const bool objects =
      callee != nullptr && (is_boxed(source_.context, callee->getReturnType()) ||
                            std::ranges::any_of(callee->parameters(), [&](const auto* one) {
                              return is_boxed(source_.context, one->getType());
                            }));
  const bool ordinary = callee != nullptr && method == nullptr && !references && !objects &&
                        callee->getTemplateSpecializationInfo() == nullptr &&
                        !callee->isVariadic() && !callee->isOverloadedOperator();
  if (ordinary) return expressions_.text(call);
  const clang::QualType result = call->getCallReturnType(source_.context);
  if (result->isReferenceType() || (source_.is_c() && callee != nullptr)) {
    fail(result->isReferenceType() ? reasons::reference_returned : reasons::variable_arguments);
    return {};
  }
  const std::string name = fresh_function();
  std::string parameters;
  std::string inside;   // the arguments of the call in the function
  std::string outside;  // those of the call of the function
  std::string ended;    // objects of its own
  std::string passed;   // what plain functions get behind the object
  const auto add = [&](const std::string& parameter, const std::string& argument) {
    parameters += (parameters.empty() ? "" : ", ") + parameter;
    outside += (outside.empty() ? "" : ", ") + argument;
  };
  std::string called;
  const bool has_object = method != nullptr && method->isInstance();
  const std::string* plain = expressions_.plain_callee(call);
  const std::vector<clang::QualType> types = types_passed(call);
  const auto* pointed_to = expressions_.names().targets_through_pointer(call);
  const clang::Expr* held = temporary_object(call);
  if (held != nullptr) {
    // It has to live as long as the child.
    if (!can_be_held(held, result)) {
      fail(reasons::temporary_called);
      return {};
    }
    const clang::QualType type = held->getType().getUnqualifiedType();
    add(boxed(type, "cilk_held"), expressions_.converted(held, type));
    const std::string own = is_boxed(source_.context, type) ? "cilk_held.value()" : "cilk_held";
    called = plain != nullptr ? *plain : own + "." + method->getNameAsString();
    if (plain != nullptr) inside = "&" + own;
  } else if (has_object) {
    const clang::QualType object =
        source_.context.getPointerType(method->getFunctionObjectParameterType());
    const bool dispatches = expressions_.names().targets_of(call) != nullptr;
    const std::string own = dispatches ? dispatched_object : "cilk_object";
    add(declared(object, own), expressions_.object(call));
    called = own + "->" + method->getNameAsString();
  } else if (callee != nullptr) {
    called = "::" + plain_name(callee);
  } else {
    const clang::Expr* pointer = call->getCallee();
    if (llvm::isa<clang::BinaryOperator>(pointer->IgnoreParens())) {
      fail(reasons::member_pointer);
      return {};
    }
    called = pointed_to != nullptr ? dispatched_pointer : "cilk_called";
    add(declared(pointer->getType().getUnqualifiedType(), called), expressions_.text(pointer));
  }
  // The arguments of an operator say what those of its template are.
  if (callee != nullptr && plain == nullptr && !llvm::isa<clang::CXXOperatorCallExpr>(call) &&
      callee->getTemplateSpecializationArgs() != nullptr) {
    llvm::raw_string_ostream out(called);
    clang::printTemplateArgumentList(out, callee->getTemplateSpecializationArgs()->asArray(),
                                     plain_policy(source_.context));
  }
  const unsigned first = has_object && llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    const clang::Expr* argument = call->getArg(i);
    if (const auto* usual = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
      argument = usual->getExpr();
    const unsigned at = i - first;
    const std::string own = "cilk_argument_" + std::to_string(at + 1);
    const clang::QualType type = at < types.size() ? types[at] : argument->getType();
    const bool by_reference = type->isReferenceType();
    const auto parameter = plain_variable(source_.context, type.getUnqualifiedType(), own);
    if (!parameter) fail(why_not_plain(source_.context, type));
    add(parameter.value_or(""), expressions_.converted(argument, type));
    const bool box = is_boxed(source_.context, type);
    const bool held = is_held(source_.context, type);
    const bool moved = by_reference && type->isRValueReferenceType();
    if (held && plain == nullptr) ended += own + ".end();\n";
    passed += ", " + own;
    inside += (inside.empty() ? "" : ", ");
    inside += plain != nullptr ? own
              : moved          ? "static_cast<" + declared(type, "") + ">(*" + own + ")"
              : held           ? own + ".moved()"
                               : (by_reference ? "*" : "") + own + (box ? ".value()" : "");
  }
  for (const unsigned kind : expressions_.names().views_of(call)) {
    add(views_parameter(kind), expressions_.views_here(kind));
    if (plain != nullptr) inside += (inside.empty() ? "" : ", ") + views_name(kind);
  }
  std::string text = called + "(" + inside + ")";
  if (is_boxed(source_.context, result) && plain == nullptr)
    text = held_object(source_.context, result, text);
  if (!ended.empty() && !result->isVoidType()) {
    text = boxed(result.getUnqualifiedType(), "cilk_result") + " = " + text + ";\n" + ended +
           "return cilk_result";
  } else if (!ended.empty()) {
    text += ";\n" + ended;
  } else if (!result->isVoidType()) {
    text.insert(0, "return ");
  }
  const auto* targets = plain == nullptr ? expressions_.names().targets_of(call) : nullptr;
  if (targets != nullptr) text.insert(0, dispatch(*targets, call, passed));
  if (pointed_to != nullptr) {
    // A message of a call of something else has the line.
    const std::string line = line_of(call->getExprLoc());
    text.insert(0, dispatch(*pointed_to, call) + line);
    before_ += line;
  }
  before_ += "static " + boxed(result, name + "(" + parameters + ")") + " {\n" + text + ";\n}\n";
  return name + "(" + outside + ")";
}

// Calls the plain form of what the object's class has for the method.
std::string plain_calls::dispatch(const std::vector<virtual_target>& targets,
                                  const clang::CallExpr* call, const std::string& passed) {
  const plain_names& names = expressions_.names();
  const clang::QualType result = call->getCallReturnType(source_.context).getUnqualifiedType();
  std::string text;
  for (const virtual_target& one : targets) {
    const std::string form = names.find(one.method)->second;
    std::string views;
    for (const unsigned kind : names.views_of(one.method)) views += ", " + views_name(kind);
    const std::string whole =
        declared(source_.context.getPointerType(one.method->getFunctionObjectParameterType()), "");
    const std::string made = form + "(static_cast<" + whole + ">(static_cast<" +
                             (one.method->isConst() ? "const " : "") +
                             declared(source_.context.getRecordType(one.object), "") + "*>(" +
                             dispatched_object + "))" + passed + views + ")";
    text += "if (*(const char* const*)" + std::string(dispatched_object) +
            " == " + table_name(names, one.object) + ".at + " + std::to_string(one.table) + ") {\n";
    text += handed_on(made, one.method->getReturnType(), result) + "}\n";
  }
  return text;
}

// Calls the plain form of what the pointer leads to.
std::string plain_calls::dispatch(const call_targets::function_list& targets,
                                  const clang::CallExpr* call) {
  const plain_names& names = expressions_.names();
  const std::vector<clang::QualType> types = types_passed(call);
  const clang::QualType result = call->getCallReturnType(source_.context).getUnqualifiedType();
  std::string text;
  for (const clang::FunctionDecl* one : targets) {
    std::string passed;
    for (unsigned i = 0; i < one->getNumParams(); ++i) {
      const clang::QualType type = one->getParamDecl(i)->getType();
      const bool same = source_.context.hasSameUnqualifiedType(type, types[i]);
      passed += (i == 0 ? "" : ", ") + (same ? "" : "(" + declared(type, "") + ")") +
                "cilk_argument_" + std::to_string(i + 1);
    }
    for (const unsigned kind : names.views_of(one))
      passed += (passed.empty() ? "" : ", ") + views_name(kind);
    text += "if ((void (*)(void))" + std::string(dispatched_pointer) +
            " == " + names.addresses.find(one)->second + ") {\n" +
            handed_on(names.find(one)->second + "(" + passed + ")", one->getReturnType(), result,
                      true) +
            "}\n";
  }
  return text;
}

std::string plain_calls::handed_on(const std::string& call, clang::QualType from,
                                   clang::QualType result, bool is_cast) {
  if (result->isVoidType()) return call + ";\nreturn;\n";
  if (source_.context.hasSameUnqualifiedType(result, from)) return "return " + call + ";\n";
  const std::string cast = is_cast ? "(" + declared(result, "") + ")" : "";
  return boxed(from.getUnqualifiedType(), "cilk_result") + " = " + call + ";\nreturn " + cast +
         "cilk_result;\n";
}

void plain_calls::prepare(const clang::Expr* value) {
  if (value == nullptr) return;
  if (source_.is_c()) keep_places(value, false, false);
  if (!calls(value)) return;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    if (binary->isLogicalOp() && calls(binary->getRHS())) {
      const bool both = binary->getOpcode() == clang::BO_LAnd;
      const std::string name = fresh();
      prepare(binary->getLHS());
      const clang::QualType type = binary->getType();
      line(declared(type, name) + " = !!(" + expressions_.text(binary->getLHS()) + ");");
      line("if (" + std::string(both ? "" : "!") + name + ") {");
      ++branches_;
      const std::size_t before = temporary_objects();
      prepare(binary->getRHS());
      line(name + " = !!(" + expressions_.text(binary->getRHS()) + ");");
      end_temporaries(before);
      --branches_;
      line("}");
      return expressions_.replace(value, name);
    }
    if (binary->getOpcode() == clang::BO_Comma) {
      expression(binary->getLHS());
      prepare(binary->getRHS());
      return expressions_.replace(value, "(" + expressions_.text(binary->getRHS()) + ")");
    }
  }
  if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
    if (calls(either->getTrueExpr()) || calls(either->getFalseExpr())) {
      if (value->isLValue() || value->getType()->isVoidType() ||
          is_boxed(source_.context, value->getType()))
        return fail(reasons::object_of_condition);
      prepare(either->getCond());
      const std::string name = fresh();
      line(declared(value->getType().getUnqualifiedType(), name) + ";");
      line("if (" + expressions_.text(either->getCond()) + ") {");
      ++branches_;
      set(name, either->getTrueExpr());
      line("} else {");
      set(name, either->getFalseExpr());
      --branches_;
      line("}");
      return expressions_.replace(value, name);
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) {
    if (expressions_.calls_plain(call)) {
      prepare_arguments(value);
      const clang::QualType type = call->getCallReturnType(source_.context);
      if (type->isVoidType()) return fail(reasons::nothing_in_expression);
      if (type->isReferenceType()) return fail(reasons::reference_returned);
      const std::string name = fresh();
      line(boxed(type.getUnqualifiedType(), name) + " = " + child(call) + ";");
      const bool held = is_held(source_.context, type);
      if (held) is_temporary_object(name);
      const bool box = is_boxed(source_.context, type);
      return expressions_.replace(value, held ? name + ".moved()" : box ? name + ".value()" : name);
    }
  }
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(value)) return prepare_block(block);
  if (llvm::isa<clang::BinaryConditionalOperator>(value)) return fail(reasons::short_condition);
  if (is_in_order(value) && !keeps_order(value)) return fail(reasons::effect_before_call);
  for (const clang::Stmt* each : value->children()) {
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(each)) prepare(part);
  }
}

void plain_calls::prepare_block(const clang::StmtExpr* block) {
  const clang::CompoundStmt* body = block->getSubStmt();
  const clang::QualType type = block->getType().getUnqualifiedType();
  const bool nothing = type->isVoidType();
  const auto* last =
      nothing || body->body_empty() ? nullptr : llvm::dyn_cast<clang::Expr>(body->body_back());
  if (!nothing && (last == nullptr || is_boxed(source_.context, type)))
    return fail(reasons::object_of_block);
  const std::string name = nothing ? "((void)0)" : fresh();
  if (!nothing) line(declared(type, name) + ";");
  open();
  for (const clang::Stmt* each : body->body()) {
    if (each != last) statement(each);
  }
  if (last != nullptr) set(name, last);
  close();
  expressions_.replace(block, name);
}

bool plain_calls::keeps_order(const clang::Expr* value) const {
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value);
  std::vector<const clang::Expr*> operands;
  if (call != nullptr) {
    operands.assign(call->arg_begin(), call->arg_end());
  } else {
    for (const clang::Stmt* each : value->children())
      operands.push_back(llvm::cast<clang::Expr>(each));
  }
  return operands.size() < 2 || !calls(operands[1]) ||
         !operands[0]->HasSideEffects(source_.context);
}

void plain_calls::set(const std::string& name, const clang::Expr* value) {
  bool spawned = false;
  const clang::CallExpr* call = call_in(value, &spawned);
  // A spawn here is serial, because its result is used at once.
  const bool direct = call != nullptr && !spawned &&
                      source_.context.hasSameUnqualifiedType(
                          value->getType(), call->getCallReturnType(source_.context));
  if (direct) {
    prepare_arguments(value);
    return line(name + " = " + child(value) + ";");
  }
  const std::size_t before = temporary_objects();
  prepare(value);
  line(name + " = " + expressions_.text(value) + ";");
  end_temporaries(before);
}

}  // namespace cilk2chan
