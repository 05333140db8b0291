#include "tasks/lanes/effects.hpp"

#include "analysis/change_visitor.hpp"
#include "analysis/effects.hpp"  // acts, can_leave, is_plain
#include "analysis/usage.hpp"
#include "tasks/device/check.hpp"  // is_device_mathematics

#include <clang/AST/ExprCXX.h>

namespace cilk2chan {
namespace {

// What is called deeper than this may do anything.
constexpr unsigned deepest_call = 16;

// Whether the function only computes its result.
bool is_mathematics(const clang::FunctionDecl* function) {
  if (function->getIdentifier() == nullptr || !function->isExternallyVisible()) return false;
  llvm::StringRef name = function->getName();
  name.consume_front("__builtin_");
  if (function->getNumParams() == 0) return false;
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    if (!parameter->getType()->isArithmeticType()) return false;
  }
  if (name == "abs" || name == "labs" || name == "llabs") return true;
  // lgamma sets a variable of the library.
  return is_device_mathematics(name) && !name.starts_with("lgamma") && !name.starts_with("tgamma");
}

// The atomic operation whose value a cast to `void` drops.
const clang::AtomicExpr* dropped_atomic(const clang::Stmt* node) {
  const auto* cast = llvm::dyn_cast<clang::CStyleCastExpr>(node);
  if (cast == nullptr || cast->getCastKind() != clang::CK_ToVoid) return nullptr;
  return llvm::dyn_cast<clang::AtomicExpr>(cast->getSubExpr()->IgnoreParens());
}

// Whether the function is one that the plain form has for an operation on a reducer's place that is
// none of the machine's (plain_reducers).
bool changes_reducer(const clang::FunctionDecl* function) {
  if (function == nullptr || function->getNumParams() != 2 || function->isExternallyVisible() ||
      !function->getReturnType()->isVoidType())
    return false;
  const clang::ParmVarDecl* at = function->getParamDecl(0);
  return at->getType()->isPointerType() && at->getName() == "cilk_at" &&
         function->getParamDecl(1)->getName() == "cilk_part";
}

class effect_finder : public change_visitor {
 public:
  effect_finder(call_effects& calls, const std::function<bool(const clang::VarDecl*)>& owns)
      : calls_(calls), owns_(owns) {}

  code_effects result;

  bool VisitStmt(clang::Stmt* node) override {
    if (const clang::Expr* place = place_read(node);
        place != nullptr && own(place) == nullptr && !is_constant_place(place))
      result.loads = true;
    if (const auto change = commuting_in(node)) {
      commuting_.insert(dropped_atomic(node));
      // Each lane would have the variable for itself.
      if (own(change->place) != nullptr) result.acts = true;
      result.loads = result.stores = true;
    }
    switch (node->getStmtClass()) {
      case clang::Stmt::ReturnStmtClass: result.leaves = true; break;
      case clang::Stmt::ForStmtClass:
      case clang::Stmt::WhileStmtClass:
      case clang::Stmt::DoStmtClass:
      case clang::Stmt::CXXForRangeStmtClass: result.has_loop = true; break;
      case clang::Stmt::GotoStmtClass:
      case clang::Stmt::IndirectGotoStmtClass:
      case clang::Stmt::LabelStmtClass:
      case clang::Stmt::AddrLabelExprClass:
        result.jumps = result.leaves = result.acts = true;
        break;
      default: break;
    }
    if (acts(node) && !commuting_.contains(node)) result.acts = true;
    return true;
  }
  bool VisitExpr(clang::Expr* value) override {
    if (value->getType().isVolatileQualified()) result.acts = true;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (commuting_in(call)) return true;
    const call_effect effect = calls_.of(call->getDirectCallee());
    if (effect == call_effect::any) result.acts = true;
    if (effect == call_effect::reads) result.loads = true;
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    if (!made->getConstructor()->isTrivial()) result.acts = true;
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    result.declared.insert(variable);
    if (!is_plain(variable)) result.acts = true;
    return true;
  }

 private:
  const clang::VarDecl* own(const clang::Expr* place) const {
    const clang::VarDecl* variable = root_variable(place);
    const bool is_own = variable != nullptr && variable->hasLocalStorage() &&
                        !variable->getType()->isReferenceType() && owns_(variable);
    return is_own ? variable : nullptr;
  }
  void change(const clang::Expr* place) override {
    if (const clang::VarDecl* variable = own(place)) {
      result.changed.insert(variable);
    } else {
      result.stores = true;
    }
  }

  call_effects& calls_;
  const std::function<bool(const clang::VarDecl*)>& owns_;
  llvm::DenseSet<const clang::Stmt*> commuting_;  // atomic operations
};

}  // namespace

bool is_for_groups(const clang::FunctionDecl* function) {
  return function->getIdentifier() != nullptr && function->getName().starts_with("channels_");
}

std::optional<commuting_change> commuting_in(const clang::Stmt* node) {
  const clang::Expr* address = nullptr;
  std::string operation;
  if (const clang::AtomicExpr* atomic = dropped_atomic(node)) {
    switch (atomic->getOp()) {
      case clang::AtomicExpr::AO__atomic_fetch_add:
      case clang::AtomicExpr::AO__atomic_fetch_sub: operation = "+"; break;
      case clang::AtomicExpr::AO__atomic_fetch_and: operation = "&"; break;
      case clang::AtomicExpr::AO__atomic_fetch_or: operation = "|"; break;
      case clang::AtomicExpr::AO__atomic_fetch_xor: operation = "^"; break;
      default: return std::nullopt;
    }
    const auto* order =
        llvm::dyn_cast<clang::IntegerLiteral>(atomic->getOrder()->IgnoreParenImpCasts());
    // A stronger one orders other accesses.
    if (order == nullptr || order->getValue() != static_cast<std::uint64_t>(__ATOMIC_RELAXED))
      return std::nullopt;
    address = atomic->getPtr();
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(node)) {
    if (!changes_reducer(call->getDirectCallee())) return std::nullopt;
    operation = call->getDirectCallee()->getNameAsString();
    address = call->getArg(0);
  }
  const auto* names = address == nullptr
                          ? nullptr
                          : llvm::dyn_cast<clang::UnaryOperator>(address->IgnoreParenImpCasts());
  if (names == nullptr || names->getOpcode() != clang::UO_AddrOf) return std::nullopt;
  const clang::Expr* place = names->getSubExpr()->IgnoreParens();
  // Sums of floating-point numbers depend on the order.
  const bool fine = place->getType()->isIntegerType() || llvm::isa<clang::CallExpr>(node);
  if (!fine || place->getType().isVolatileQualified()) return std::nullopt;
  return commuting_change{
      place,
      operation + " " + place->getType().getCanonicalType().getUnqualifiedType().getAsString()};
}

bool is_constant_place(const clang::Expr* place) {
  const clang::VarDecl* variable = root_variable(place);
  if (variable == nullptr || !variable->hasGlobalStorage()) return false;
  const clang::QualType type = variable->getType();
  return variable->getASTContext().getBaseElementType(type).isConstQualified() &&
         !type.isVolatileQualified() && !place->getType().isVolatileQualified() &&
         place->getType()->isArithmeticType();
}

const clang::Expr* place_read(const clang::Stmt* node) {
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(node))
    return cast->getCastKind() == clang::CK_LValueToRValue ? cast->getSubExpr() : nullptr;
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(node)) {
    const bool copies = made->getNumArgs() == 1 && made->getConstructor()->isTrivial() &&
                        made->getConstructor()->isCopyOrMoveConstructor();
    return copies && made->getArg(0)->isLValue() ? made->getArg(0) : nullptr;
  }
  const auto* change = llvm::dyn_cast<clang::BinaryOperator>(node);
  if (change != nullptr && change->isCompoundAssignmentOp()) return change->getLHS();
  const auto* step = llvm::dyn_cast<clang::UnaryOperator>(node);
  return step != nullptr && step->isIncrementDecrementOp() ? step->getSubExpr() : nullptr;
}

code_effects effects_of(const clang::Stmt* code, call_effects& calls,
                        const std::function<bool(const clang::VarDecl*)>& owns) {
  effect_finder finder(calls, owns);
  finder.look_through(code);
  code_effects result = std::move(finder.result);
  for (const clang::VarDecl* one : result.declared) result.changed.remove(one);
  result.leaves = result.leaves || can_leave(code);
  return result;
}

call_effect call_effects::of(const clang::FunctionDecl* function) {
  if (function == nullptr) return call_effect::any;
  if (is_fine_ && is_fine_(function)) return call_effect::reads;
  if (is_for_groups(function)) return call_effect::any;
  if (is_mathematics(function) || function->hasAttr<clang::ConstAttr>()) return call_effect::none;
  if (function->hasAttr<clang::PureAttr>()) return call_effect::reads;
  const clang::FunctionDecl* definition = function->getDefinition();
  if (definition == nullptr || !definition->hasBody() || definition->isVariadic() ||
      source_.task_of(function) != nullptr || llvm::isa<clang::CXXMethodDecl>(definition) ||
      source_.sources().isInSystemHeader(definition->getLocation()) || depth_ == deepest_call)
    return call_effect::any;
  const auto [place, is_new] = known_.try_emplace(definition, call_effect::any);
  if (!is_new) return place->second;  // or the function calls itself
  const variable_usage usage = usage_of(definition->getBody());
  ++depth_;
  const code_effects found =
      effects_of(definition->getBody(), *this, [](const clang::VarDecl*) { return true; });
  --depth_;
  // A pointer may lead to a variable whose address is taken.
  const bool any = !found.can_all() || !usage.escaped.empty();
  const call_effect effect = any           ? call_effect::any
                             : found.loads ? call_effect::reads
                                           : call_effect::none;
  known_[definition] = effect;
  return effect;
}

}  // namespace cilk2chan
