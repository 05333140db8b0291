#include "tasks/lanes/counted_loops.hpp"

#include "analysis/effects.hpp"  // can_leave
#include "analysis/loop_forms.hpp"
#include "frontend/keywords.hpp"
#include "tasks/lanes/first_uses.hpp"
#include "tasks/lanes/tree_builder.hpp"
#include "tasks/lanes/tree_copy.hpp"

#include <algorithm>
#include <optional>

namespace cilk2chan {
namespace {

// A change of a variable by a constant.
struct steady_change {
  const clang::VarDecl* variable = nullptr;
  std::int64_t by = 0;
  bool before = false;  // its value is the one before the change
};

std::optional<steady_change> walk_of(const clang::ASTContext& context, const clang::Expr* value) {
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (!step->isIncrementDecrementOp()) return std::nullopt;
    return steady_change{bare_variable(step->getSubExpr()), step->isIncrementOp() ? 1 : -1,
                         step->isPostfix()};
  }
  const auto* change = llvm::dyn_cast<clang::BinaryOperator>(value);
  clang::Expr::EvalResult by;
  if (change == nullptr ||
      (change->getOpcode() != clang::BO_AddAssign && change->getOpcode() != clang::BO_SubAssign) ||
      change->getRHS()->isValueDependent() || !change->getRHS()->EvaluateAsInt(by, context))
    return std::nullopt;
  const std::int64_t much = by.Val.getInt().getExtValue();
  if (much < -4096 || much > 4096) return std::nullopt;
  return steady_change{bare_variable(change->getLHS()),
                       change->getOpcode() == clang::BO_SubAssign ? -much : much, false};
}

// A variable that a loop changes by the same amount in each iteration.
struct walker {
  const clang::VarDecl* variable = nullptr;
  std::int64_t by = 0;
  bool changed = false;  // in this iteration, where the copy is
};

class loop_counter : public tree_rewriter {
 public:
  loop_counter(const program& source, const variable_usage& usage)
      : tree_rewriter(*source.context), source_(source), usage_(usage), make_(source) {}

 private:
  clang::Stmt* instead_of(clang::Stmt* code) override {
    if (auto* loop = llvm::dyn_cast<clang::ForStmt>(code);
        loop != nullptr && loop->getConditionVariable() == nullptr)
      return counted(loop->getForLoc(), loop->getInit(), loop->getCond(), loop->getInc(),
                     loop->getBody(), find_form(context_, loop).has_value());
    if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(code);
        loop != nullptr && loop->getConditionVariable() == nullptr)
      return counted(loop->getWhileLoc(), nullptr, loop->getCond(), nullptr, loop->getBody(),
                     false);
    return nullptr;
  }

  // What a loop's condition says.
  struct condition {
    const clang::VarDecl* variable = nullptr;
    clang::BinaryOperatorKind comparison = clang::BO_NE;
    clang::Expr* limit = nullptr;         // null: 0
    std::optional<steady_change> change;  // in the condition itself
  };

  std::optional<condition> read(clang::Expr* value) const {
    value = value->IgnoreParenImpCasts();
    condition made;
    clang::Expr* left = value;
    if (auto* compares = llvm::dyn_cast<clang::BinaryOperator>(value);
        compares != nullptr && compares->isComparisonOp()) {
      made.comparison = compares->getOpcode();
      left = compares->getLHS();
      made.limit = compares->getRHS();
      if (!is_walk(left) && bare_variable(left->IgnoreParenImpCasts()) == nullptr) {
        std::swap(left, made.limit);
        made.comparison = clang::BinaryOperator::reverseComparisonOp(made.comparison);
      }
    }
    left = left->IgnoreParenImpCasts();
    made.change = walk_of(context_, left);
    made.variable = made.change ? made.change->variable : bare_variable(left);
    if (made.variable == nullptr) return std::nullopt;
    return made;
  }
  bool is_walk(const clang::Expr* value) const {
    return walk_of(context_, value->IgnoreParenImpCasts()).has_value();
  }

  [[nodiscard]] bool can_walk(const clang::VarDecl* one) const {
    const clang::QualType type = one->getType();
    const bool number = type->isIntegerType() && !type->isBooleanType() &&
                        context_.getIntWidth(type) >= context_.getIntWidth(context_.IntTy);
    return one->hasLocalStorage() && !usage_.escaped.contains(one) && !type.isVolatileQualified() &&
           (number || type->isObjectPointerType());
  }
  // Whether a limit is the same before each iteration.
  bool is_fixed(const clang::Expr* limit, const change_counts& all) const {
    struct visitor : tree_walker {
      const change_counts* all = nullptr;
      bool fixed = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
        const auto* one = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        if (one != nullptr) fixed = fixed && one->hasLocalStorage() && !all->contains(one);
        return fixed;
      }
      bool VisitExpr(clang::Expr* value) override {
        fixed = fixed && !llvm::isa<clang::CallExpr, clang::MemberExpr, clang::ArraySubscriptExpr,
                                    clang::StmtExpr, clang::LambdaExpr>(value);
        const auto* node = llvm::dyn_cast<clang::UnaryOperator>(value);
        return fixed = fixed && (node == nullptr || node->getOpcode() != clang::UO_Deref);
      }
    };
    visitor look;
    look.all = &all;
    if (limit != nullptr) look.look_through(limit);
    return look.fixed && (limit == nullptr || !limit->HasSideEffects(context_));
  }

  // The loop as one that counts; null if it stays.
  clang::Stmt* counted(clang::SourceLocation where, clang::Stmt* first, clang::Expr* test,
                       clang::Expr* next, clang::Stmt* body, bool counts) {
    if (test == nullptr || body == nullptr || can_leave(body) ||
        is_parallel_for(where, source_.sources()) || is_spawned_block(where, source_.sources()))
      return nullptr;
    const auto how = read(test);
    if (!how || !can_walk(how->variable)) return nullptr;
    change_counts all = changes_in(body);
    for (const clang::Expr* part : {test, next}) {
      for (const auto& [one, times] : changes_in(part)) all[one] += times;
    }
    walkers_.clear();
    find_walkers(body, next, all);
    if (how->change && all[how->variable] == 1)
      walkers_.push_back({how->variable, how->change->by, true});
    const auto by = std::ranges::find(walkers_, how->variable, &walker::variable);
    const bool besides = walkers_.size() > 1;
    if (by == walkers_.end() || (counts && !besides) || !is_fixed(how->limit, all) ||
        !only_walks(next))
      return nullptr;
    return written(where, first, body, *how, by->by);
  }

  // The variables that change once in each iteration, in a statement that no branch is around.
  void find_walkers(const clang::Stmt* body, clang::Expr* next, const change_counts& all) {
    for (const clang::Stmt* each : statements_of(body)) note_walks(each, all);
    if (next != nullptr) note_walks(next, all);
  }
  void note_walks(const clang::Stmt* statement, const change_counts& all) {
    if (!llvm::isa<clang::Expr, clang::DeclStmt>(statement)) return;
    if (has_branch(statement)) return;
    struct visitor : tree_walker {
      const clang::ASTContext* context = nullptr;
      std::vector<steady_change> found;
      bool VisitExpr(clang::Expr* value) override {
        if (const auto one = walk_of(*context, value); one && one->variable != nullptr)
          found.push_back(*one);
        return true;
      }
    };
    visitor look;
    look.context = &context_;
    look.look_through(statement);
    for (const steady_change& one : look.found) {
      if (all.at(one.variable) == 1 && mentions(statement, one.variable) == 1 &&
          can_walk(one.variable))
        walkers_.push_back({one.variable, one.by, false});
    }
  }

  // Whether what ends an iteration does nothing else.
  bool only_walks(const clang::Expr* next) {
    if (next == nullptr) return true;
    next = next->IgnoreParenImpCasts();
    if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(next);
        both != nullptr && both->getOpcode() == clang::BO_Comma)
      return only_walks(both->getLHS()) && only_walks(both->getRHS());
    const auto one = walk_of(context_, next);
    return one && walker_of(one->variable) != nullptr;
  }

  clang::Stmt* written(clang::SourceLocation where, clang::Stmt* first, clang::Stmt* body,
                       const condition& how, std::int64_t by) {
    const bool up = by > 0;
    const auto comparison = how.comparison;
    const bool inclusive = comparison == clang::BO_LE || comparison == clang::BO_GE;
    const bool fits = comparison == clang::BO_NE ||
                      (up ? comparison == clang::BO_LT || comparison == clang::BO_LE
                          : comparison == clang::BO_GT || comparison == clang::BO_GE);
    if ((by != 1 && by != -1) || !fits) return nullptr;
    // `n-- > 0` compares before it changes, `--n >= 0` behind.
    const bool early = !how.change || how.change->before;
    const bool pointer = how.variable->getType()->isPointerType();
    if (pointer && (how.change || how.limit == nullptr || inclusive)) return nullptr;
    number_ = std::to_string(++loops_);
    count_type_ =
        pointer ? context_.getPointerDiffType() : how.variable->getType().getUnqualifiedType();
    where_ = where;
    make_.set_place(where);

    // The number of iterations: how far the limit is.
    clang::Expr* from = make_.value_of(how.variable);
    clang::Expr* to = how.limit;
    if (to == nullptr) to = make_.literal(0, count_type_);
    if (!pointer) to = make_.converted(to, count_type_);
    to = make_.paren(to);
    const bool one_more = early ? inclusive : false;
    const bool one_less = !early && !inclusive;
    clang::Expr* far = up ? make_.binary(to, clang::BO_Sub, from, count_type_)
                          : make_.binary(from, clang::BO_Sub, to, count_type_);
    if (one_more)
      far = make_.binary(far, clang::BO_Add, make_.literal(1, count_type_), count_type_);
    if (one_less)
      far = make_.binary(far, clang::BO_Sub, make_.literal(1, count_type_), count_type_);
    const auto beyond = comparison == clang::BO_NE ? clang::BO_NE
                        : one_more                 ? (up ? clang::BO_LE : clang::BO_GE)
                                                   : (up ? clang::BO_LT : clang::BO_GT);
    clang::Expr* any = make_.binary(from, beyond, to, context_.IntTy);
    clang::Expr* far_or_none =
        make_.conditional(any, make_.paren(far), make_.literal(0, count_type_));
    clang::VarDecl* trips = make_.local("cilk_count_" + number_, count_type_, far_or_none);
    counter_ = make_.local("cilk_counted_" + number_, count_type_, make_.literal(0, count_type_));

    clang::Stmt* inside = copied(body);
    if (inside == nullptr) return nullptr;
    auto* loop = new (context_) clang::ForStmt(
        context_, declaration_of(context_, counter_),
        make_.binary(make_.value_of(counter_), clang::BO_LT, make_.value_of(trips), context_.IntTy),
        nullptr, make_.increment(counter_), inside, where_, where_, where_);

    std::vector<clang::Stmt*> all;
    if (first != nullptr) all.push_back(first);
    all.push_back(declaration_of(context_, trips));
    all.push_back(loop);
    for (const walker& one : walkers_) {
      // The condition changes its variable once more, when it ends the loop.
      const bool once_more = how.change && one.variable == how.variable;
      clang::Expr* end = moved(one, make_.value_of(trips));
      if (once_more) {
        const auto sign = one.by > 0 ? clang::BO_Add : clang::BO_Sub;
        end = make_.binary(end, sign, make_.literal(1, end->getType()), end->getType());
      }
      all.push_back(make_.assign(one.variable, end));
    }
    return clang::CompoundStmt::Create(context_, all, clang::FPOptionsOverride(), where_, where_);
  }

  // The body, in which the walkers are where this iteration finds them.
  clang::Stmt* copied(clang::Stmt* body) {
    tree_copy copy(source_, "");
    for (const walker& one : walkers_) copy.note(one.variable);
    copy.instead = [this](clang::Expr* value) { return value_instead(value); };
    std::vector<clang::Stmt*> all;
    for (clang::Stmt* each : statements_of(body)) {
      const auto* value = llvm::dyn_cast<clang::Expr>(each);
      const auto own = value == nullptr ? std::nullopt : walk_of(context_, value->IgnoreParens());
      walker* const one = own ? walker_of(own->variable) : nullptr;
      if (one != nullptr) {
        one->changed = true;
        continue;
      }
      all.push_back(copy.statement(each));
      if (!copy.is_complete()) return nullptr;
    }
    return clang::CompoundStmt::Create(context_, all, clang::FPOptionsOverride(), where_, where_);
  }

  // Null: it is copied as others are.
  clang::Expr* value_instead(clang::Expr* value) {
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value);
        cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) {
      const clang::Expr* inner = cast->getSubExpr()->IgnoreParens();
      if (walker* const one = walker_of(bare_variable(inner))) return now(*one);
      if (const auto own = walk_of(context_, inner)) {
        if (walker* const one = walker_of(own->variable)) return after(*one, *own);
      }
      return nullptr;
    }
    const auto own = walk_of(context_, value);
    walker* const one = own ? walker_of(own->variable) : nullptr;
    return one != nullptr && value->isPRValue() ? after(*one, *own) : nullptr;
  }
  walker* walker_of(const clang::VarDecl* variable) {
    const auto found = std::ranges::find(walkers_, variable, &walker::variable);
    return variable == nullptr || found == walkers_.end() ? nullptr : &*found;
  }
  // A walker's value at this place of the iteration, or of a change.
  clang::Expr* now(const walker& one) {
    clang::Expr* at = moved(one, make_.value_of(counter_));
    return make_.paren(one.changed ? added(at, one.by) : at);
  }
  clang::Expr* after(walker& one, const steady_change& own) {
    clang::Expr* before = now(one);
    one.changed = true;
    return own.before ? before : now(one);
  }
  clang::Expr* added(clang::Expr* value, std::int64_t much) {
    return make_.binary(value, much < 0 ? clang::BO_Sub : clang::BO_Add,
                        make_.literal(much < 0 ? -much : much, number_type(value->getType())),
                        value->getType());
  }
  // `variable + by * times`
  clang::Expr* moved(const walker& one, clang::Expr* times) {
    const clang::QualType type = one.variable->getType().getUnqualifiedType();
    const clang::QualType number = number_type(type);
    times = make_.converted(times, number);
    if (one.by != 1 && one.by != -1)
      times = make_.paren(make_.binary(
          times, clang::BO_Mul, make_.literal(one.by < 0 ? -one.by : one.by, number), number));
    return make_.binary(make_.value_of(one.variable), one.by < 0 ? clang::BO_Sub : clang::BO_Add,
                        times, type);
  }
  // The type of what is added to a pointer or a number.
  clang::QualType number_type(clang::QualType type) const {
    return type->isPointerType() ? count_type_ : type.getUnqualifiedType();
  }

  const program& source_;
  const variable_usage& usage_;
  tree_builder make_;
  unsigned loops_ = 0;
  // Of the loop at hand:
  std::vector<walker> walkers_;
  std::string number_;
  clang::QualType count_type_;
  clang::SourceLocation where_;
  clang::VarDecl* counter_ = nullptr;
};

}  // namespace

clang::Stmt* with_counted_loops(const program& source, clang::Stmt* code,
                                const variable_usage& usage) {
  return loop_counter(source, usage).rewritten(code);
}

}  // namespace cilk2chan
