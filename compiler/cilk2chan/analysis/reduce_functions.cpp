#include "analysis/reduce_functions.hpp"

#include "frontend/tree_walker.hpp"

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>

namespace cilk2chan {
namespace {

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

}  // namespace

const clang::Expr* without_casts(const clang::Expr* value) {
  for (;;) {
    value = value->IgnoreParenImpCasts();
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(value);
    if (cast == nullptr) return value;
    value = cast->getSubExpr();
  }
}

view_operation operation_of(const clang::FunctionDecl* definition, clang::QualType view) {
  return reduce_reader(definition).read(view);
}

bool may_round(const clang::FunctionDecl* definition) {
  rounding_finder look;
  look.look_through(definition->getBody());
  return look.found || look.calls;
}

}  // namespace cilk2chan
