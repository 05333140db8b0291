#include "tasks/lanes/nearest_limits.hpp"

#include "analysis/usage.hpp"  // bare_variable
#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/lanes/first_uses.hpp"
#include "tasks/lanes/overlaps.hpp"  // reads_through_pointer
#include "tasks/lanes/tree_builder.hpp"
#include "tasks/lanes/tree_copy.hpp"

#include <optional>

namespace cilk2chan {
namespace {

class limit_joiner : public tree_rewriter {
 public:
  explicit limit_joiner(const program& source)
      : tree_rewriter(*source.context), source_(source), make_(source) {}

 private:
  // A condition on the variable by which the loop counts.
  struct limit {
    clang::BinaryOperatorKind comparison = clang::BO_LT;
    clang::Expr* value = nullptr;
    clang::Expr* added = nullptr;  // to the variable, before it is compared; or null
    bool subtracted = false;       // it is taken from the variable
  };

  clang::Stmt* instead_of(clang::Stmt* code) override {
    auto* loop = llvm::dyn_cast<clang::ForStmt>(code);
    if (loop == nullptr || loop->getCond() == nullptr || loop->getInc() == nullptr ||
        loop->getConditionVariable() != nullptr ||
        is_parallel_for(loop->getForLoc(), source_.sources()))
      return nullptr;
    const change_counts steps = changes_in(loop->getInc());
    if (steps.size() != 1) return nullptr;
    counted_ = steps.begin()->first;
    if (counted_ == nullptr || !counted_->getType()->isIntegerType() ||
        counted_->getType()->isBooleanType())
      return nullptr;
    limits_.clear();
    if (!find_limits(loop->getCond()) || limits_.size() < 2 || !fit_together()) return nullptr;
    make_.set_place(loop->getCond()->getExprLoc());
    return new (context_) clang::ForStmt(context_, loop->getInit(), condition(), nullptr,
                                         loop->getInc(), loop->getBody(), loop->getForLoc(),
                                         loop->getLParenLoc(), loop->getRParenLoc());
  }

  bool find_limits(clang::Expr* test) {
    test = test->IgnoreParenImpCasts();
    auto* const node = llvm::dyn_cast<clang::BinaryOperator>(test);
    if (node == nullptr) return false;
    if (node->getOpcode() == clang::BO_LAnd)
      return find_limits(node->getLHS()) && find_limits(node->getRHS());
    if (!node->isRelationalOp() || !node->getLHS()->getType()->isIntegerType()) return false;
    limit found{node->getOpcode(), node->getRHS()};
    clang::Expr* left = node->getLHS();
    if (mentions(left, counted_) == 0) {
      std::swap(left, found.value);
      found.comparison = clang::BinaryOperator::reverseComparisonOp(found.comparison);
    }
    if (mentions(found.value, counted_) != 0 || !split(left, found)) return false;
    // All limits are looked at where the program looks at the first alone.
    if (!limits_.empty() &&
        (may_fail(found.value) || (found.added != nullptr && may_fail(found.added))))
      return false;
    limits_.push_back(found);
    return true;
  }

  // `counted`, `base + counted`, `counted + base`, `counted - base`.
  bool split(clang::Expr* left, limit& found) const {
    left = left->IgnoreParenImpCasts();
    if (bare_variable(left) == counted_) return true;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(left);
    if (sum == nullptr || !sum->isAdditiveOp()) return false;
    clang::Expr* one = sum->getLHS();
    found.added = sum->getRHS();
    found.subtracted = sum->getOpcode() == clang::BO_Sub;
    if (bare_variable(one->IgnoreParenImpCasts()) != counted_ && !found.subtracted)
      std::swap(one, found.added);
    return bare_variable(one->IgnoreParenImpCasts()) == counted_ &&
           mentions(found.added, counted_) == 0 && sum->getType()->isSignedIntegerType();
  }

  bool may_fail(const clang::Expr* value) const {
    struct visitor : tree_walker {
      bool divides = false;
      bool VisitBinaryOperator(clang::BinaryOperator* node) override {
        divides = divides || node->getOpcode() == clang::BO_Div ||
                  node->getOpcode() == clang::BO_Rem || node->isShiftOp();
        return !divides;
      }
    };
    visitor look;
    look.look_through(const_cast<clang::Expr*>(value));
    return look.divides || reads_through_pointer(value) || value->HasSideEffects(context_);
  }

  // Whether one type holds all limits. What is no longer than `int` is computed in 64 bits.
  bool fit_together() {
    type_ = context_.LongTy;
    const bool up = goes_up(limits_.front());
    bool same = true;
    bool narrow = context_.getIntWidth(counted_->getType()) <= 64;
    for (const limit& one : limits_) {
      if (goes_up(one) != up || is_inclusive(one) != is_inclusive(limits_.front())) return false;
      const clang::QualType compared = one.value->getType();
      // An integer below zero is no large number.
      const bool kept =
          compared->isSignedIntegerType() ||
          (counted_->getType()->isUnsignedIntegerType() &&
           context_.getIntWidth(counted_->getType()) <= context_.getIntWidth(compared));
      if (!kept || context_.getIntWidth(compared) > 64) return false;
      if (one.added != nullptr && !compared->isSignedIntegerType()) return false;
      same = same && one.added == nullptr &&
             context_.hasSameUnqualifiedType(compared, limits_.front().value->getType());
      narrow = narrow && is_narrow(one.value, one.added != nullptr) &&
               (one.added == nullptr || is_narrow(one.added, true));
    }
    if (narrow && (counted_->getType()->isSignedIntegerType() ||
                   context_.getIntWidth(counted_->getType()) < 64))
      return true;
    type_ = limits_.front().value->getType().getUnqualifiedType();
    return same;
  }
  // Whether 64 bits hold the number, and its sum with another such.
  bool is_narrow(const clang::Expr* value, bool in_sum) const {
    const clang::QualType type = written_type(value);
    const unsigned most = in_sum ? 32 : type->isSignedIntegerType() ? 64 : 63;
    return type->isIntegerType() && context_.getIntWidth(type) <= most;
  }
  static clang::QualType written_type(const clang::Expr* value) {
    return value->IgnoreParenImpCasts()->getType();
  }
  static bool goes_up(const limit& one) {
    return one.comparison == clang::BO_LT || one.comparison == clang::BO_LE;
  }
  static bool is_inclusive(const limit& one) {
    return one.comparison == clang::BO_LE || one.comparison == clang::BO_GE;
  }

  clang::Expr* condition() {
    const bool up = goes_up(limits_.front());
    clang::Expr* nearest = nullptr;
    for (const limit& one : limits_) {
      clang::Expr* here = limit_of(one);
      if (nearest != nullptr) {
        clang::Expr* test =
            make_.binary(nearest, up ? clang::BO_LT : clang::BO_GT, here, context_.IntTy);
        here = make_.paren(make_.conditional(test, nearest, here));
      }
      nearest = here;
    }
    clang::Expr* counted = make_.value_of(counted_);
    return make_.binary(make_.converted(counted, type_), limits_.front().comparison, nearest,
                        context_.IntTy);
  }
  clang::Expr* limit_of(const limit& one) const {
    clang::Expr* value = make_.cast(as_compared(one.value), type_);
    if (one.added == nullptr) return make_.paren(value);
    return make_.paren(make_.binary(value, one.subtracted ? clang::BO_Add : clang::BO_Sub,
                                    make_.cast(one.added, type_), type_));
  }
  // With a word in the text for what the comparison converts: a number below zero that it makes a
  // large one stays one.
  clang::Expr* as_compared(clang::Expr* value) const {
    const clang::QualType compared = value->getType();
    if (compared->isSignedIntegerType()) return value;
    while (auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value->IgnoreParens())) {
      if (cast->getCastKind() != clang::CK_IntegralCast) break;
      value = cast->getSubExpr();
    }
    return make_.cast(value, compared.getUnqualifiedType());
  }

  const program& source_;
  tree_builder make_;
  // Of the loop at hand:
  const clang::VarDecl* counted_ = nullptr;
  std::vector<limit> limits_;
  clang::QualType type_;
};

}  // namespace

clang::Stmt* with_nearest_limits(const program& source, clang::Stmt* code) {
  return limit_joiner(source).rewritten(code);
}

}  // namespace cilk2chan
