#include "tasks/lanes/lane_loop.hpp"

#include "analysis/breakable_walker.hpp"
#include "analysis/change_visitor.hpp"
#include "analysis/effects.hpp"
#include "analysis/loop_forms.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/lanes/first_uses.hpp"
#include "tasks/lanes/overlaps.hpp"
#include "tasks/lanes/prefixes.hpp"
#include "tasks/lanes/printing.hpp"
#include "tasks/lanes/row_tiles.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// The fewest iterations of which a wavefront is worth its while.
constexpr std::uint64_t fewest_trips = 8;

// Collects the accesses of a loop, with the loops around each.
class access_finder : public tree_walker {
 public:
  access_finder(const loop_place& place, lane_loop& into) : place_(place), into_(into) {}

  bool VisitStmt(clang::Stmt* node) override {
    if (const clang::Expr* read = place_read(node); read != nullptr && !is_constant_place(read))
      add(read, false);
    if (const auto change = commuting_in(node)) add(change->place, true, change->operation);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    if (node->isAssignmentOp()) add(node->getLHS(), true);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (node->isIncrementDecrementOp()) add(node->getSubExpr(), true);
    return true;
  }
  bool TraverseForStmt(clang::ForStmt* loop) override {
    const auto form = find_form(*place_.source.context, loop);
    const bool known = form && form->variable->hasLocalStorage() && place_.owns(form->variable) &&
                       !place_.usage.escaped.contains(form->variable);
    const bool before = on_condition_;
    if (loop == into_.node) {
      // The nest's own loop: its variable has another value in each lane.
      TraverseStmt(loop->getInit());
      TraverseStmt(loop->getCond());
      return conditional([&] { TraverseStmt(loop->getBody()); });
    }
    TraverseStmt(loop->getInit());
    TraverseStmt(loop->getCond());
    conditional([&] {
      if (known) around_.push_back({*form, first_value(loop, *form), before});
      TraverseStmt(loop->getBody());
      if (known) around_.pop_back();
      TraverseStmt(loop->getInc());
    });
    return true;
  }
  bool TraverseWhileStmt(clang::WhileStmt* loop) override {
    conditional([&] { tree_walker::TraverseWhileStmt(loop); });
    return true;
  }
  bool TraverseDoStmt(clang::DoStmt* loop) override {
    conditional([&] { tree_walker::TraverseDoStmt(loop); });
    return true;
  }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    conditional([&] { tree_walker::TraverseCXXForRangeStmt(loop); });
    return true;
  }
  bool TraverseIfStmt(clang::IfStmt* branch) override {
    TraverseStmt(branch->getCond());
    conditional([&] {
      TraverseStmt(branch->getThen());
      if (branch->getElse() != nullptr) TraverseStmt(branch->getElse());
    });
    return true;
  }
  bool TraverseSwitchStmt(clang::SwitchStmt* choice) override {
    conditional([&] { tree_walker::TraverseSwitchStmt(choice); });
    return true;
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator* choice) override {
    TraverseStmt(choice->getCond());
    conditional([&] {
      TraverseStmt(choice->getTrueExpr());
      TraverseStmt(choice->getFalseExpr());
    });
    return true;
  }
  bool TraverseBinaryOperator(clang::BinaryOperator* node) override {
    if (!node->isLogicalOp()) return tree_walker::TraverseBinaryOperator(node);
    TraverseStmt(node->getLHS());
    conditional([&] { TraverseStmt(node->getRHS()); });
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }

  bool conditional(auto walk) {
    const bool before = on_condition_;
    on_condition_ = true;
    walk();
    on_condition_ = before;
    return true;
  }

 private:
  // In C++ an assignment is a place itself.
  static const clang::Expr* assigned(const clang::Expr* place) {
    for (;;) {
      place = place->IgnoreParens();
      const auto* change = llvm::dyn_cast<clang::BinaryOperator>(place);
      const auto* step = llvm::dyn_cast<clang::UnaryOperator>(place);
      if (change != nullptr && change->isAssignmentOp()) {
        place = change->getLHS();
      } else if (step != nullptr && step->isIncrementDecrementOp() && step->isPrefix()) {
        place = step->getSubExpr();
      } else {
        return place;
      }
    }
  }
  void add(const clang::Expr* place, bool stores, const std::string& commutes = "") {
    place = assigned(place);
    const clang::VarDecl* root = root_variable(place);
    if (root != nullptr && root->hasLocalStorage() && !root->getType()->isReferenceType()) {
      // Variables are looked at by themselves; of arrays, those from outside.
      const bool part = root->getType()->isArrayType();
      const bool own = place_.owns(root);
      // The variable of a function around a `cilk_for`, in that one's frame.
      const bool fixed =
          !into_.variables.changed.contains(root) && !place_.usage.escaped.contains(root);
      if (own ? !part || into_.variables.declared.contains(root) : !part && fixed) return;
    }
    access one;
    one.place = place;
    one.places = {place};
    one.stores = stores;
    one.commutes = commutes;
    one.on_condition = on_condition_;
    one.around = around_;
    one.bytes = place_.source.context->getTypeSizeInChars(place->getType()).getQuantity();
    address_reader reader(place_.source, into_.variables, around_);
    one.root = reader.root_of_place(one.place);
    one.where = reader.of(one.place);
    if (one.where && !one.where->offset.is_linear_in(reader.symbols())) one.where.reset();
    if (!one.where && !commutes.empty()) take_array(one);
    into_.accesses.push_back(std::move(one));
  }

  // Which element of an array it is does not matter where changes of all of them commute.
  void take_array(access& one) {
    const clang::DeclRefExpr* variable = root_of(one.place);
    if (variable == nullptr || one.root != variable->getDecl()) return;
    const clang::Expr* whole = nullptr;
    for (const clang::Expr* part = one.place->IgnoreParens(); part != variable;) {
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) {
        part = member->getBase()->IgnoreParens();
      } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
        part = whole = element->getBase()->IgnoreParenImpCasts();
      } else {
        return;
      }
    }
    if (whole == nullptr || !whole->getType()->isConstantArrayType()) return;
    one.place = whole;
    one.places = {whole};
    one.around.clear();
    one.bytes = place_.source.context->getTypeSizeInChars(whole->getType()).getQuantity();
    one.where = address_reader(place_.source, into_.variables, one.around).of(whole);
  }

  const loop_place& place_;
  lane_loop& into_;
  std::vector<counted_loop> around_;
  bool on_condition_ = false;
};

// Variables that change after their declaration, among those that are declared in a loop.
class change_finder : public change_visitor {
 public:
  llvm::DenseSet<const clang::VarDecl*> changed;

  void change(const clang::Expr* place) override {
    if (const clang::VarDecl* variable = root_variable(place)) changed.insert(variable);
  }
};

// Finds what ends a loop early. `continue` goes on with the next iteration.
class way_out_finder : public breakable_walker {
 public:
  static bool is_in(const clang::Stmt* body) {
    way_out_finder finder;
    finder.look_through(body);
    return finder.found_;
  }

  bool VisitReturnStmt(clang::ReturnStmt*) override { return !(found_ = true); }
  bool VisitBreakStmt(clang::BreakStmt*) override { return !(found_ = found_ || inside_ == 0); }

 private:
  bool inside(const clang::Stmt* /*code*/, llvm::function_ref<bool()> walk) override {
    ++inside_;
    const bool go_on = walk();
    --inside_;
    return go_on;
  }

  bool found_ = false;
  int inside_ = 0;
};

class loop_study {
 public:
  loop_study(const loop_place& place, const clang::ForStmt* node) : place_(place) {
    made_.node = node;
  }

  // The same loop, with those around it.
  lane_loop run_nest(const clang::ForStmt* nest, const lane_loop& loop) {
    made_.nest = nest;
    made_.form = loop.form;
    made_.first = loop.first;
    made_.near = loop.near;
    look_at_nest();
    if (made_.why_not.empty()) collect_accesses(nest);
    if (made_.why_not.empty() && !made_.commutes()) made_.tile = find_row_tile(place_, made_);
    return std::move(made_);
  }

  lane_loop run() {
    if (made_.why_not.empty()) find_loop_form();
    if (made_.why_not.empty()) look_at_effects();
    if (made_.why_not.empty()) look_at_variables();
    if (made_.why_not.empty()) look_at_accesses();
    return std::move(made_);
  }

 private:
  void no(const std::string& why) {
    if (made_.why_not.empty()) made_.why_not = why;
  }
  std::string text(const clang::Stmt* code) const {
    std::string one = print(place_.source, code);
    std::ranges::replace(one, '\n', ' ');
    return "'" + one + "'";
  }

  void find_loop_form() {
    const auto form = find_form(*place_.source.context, made_.node);
    if (!form) return no("it does not count a variable to a limit in equal steps");
    made_.form = *form;
    made_.first = first_value(made_.node, *form);
    const clang::VarDecl* variable = form->variable;
    const clang::QualType type = variable->getType();
    const bool counts = (type->isIntegerType() && !type->isBooleanType() &&
                         !type->isEnumeralType() && !type->isReferenceType()) ||
                        (type->isPointerType() && !type->getPointeeType()->isVoidType());
    if (!counts) return no("it counts by something else than an integer or a pointer");
    if (const auto* head = llvm::dyn_cast_or_null<clang::DeclStmt>(made_.node->getInit())) {
      if (!head->isSingleDecl()) return no("it declares more than the variable by which it counts");
    }
    if (!variable->hasLocalStorage() || !place_.owns(variable))
      return no("it counts by '" + variable->getNameAsString() + "', which others see");
    if (place_.usage.escaped.contains(variable))
      return no("the address of '" + variable->getNameAsString() + "' is taken");
    if (form->limit->getType()->isFloatingType()) return no("its limit is no integer");
    const auto trips = constant_trips(place_.source, *form, made_.first);
    if (trips && *trips < fewest_trips)
      return no("it has " + std::to_string(*trips) + " iterations");
    made_.promised = is_promised(place_.source.sources(), made_.node);
  }

  void look_at_effects() {
    const clang::Stmt* body = made_.node->getBody();
    const code_effects found = effects_of(made_.node, place_.calls, place_.owns);
    const code_effects inner = effects_of(body, place_.calls, place_.owns);
    if (found.jumps) return no("it has a label or a jump");
    if (inner.leaves && way_out_finder::is_in(body)) return no("a statement leaves it early");
    if (found.acts) return no(acts(body));
    if (calls_reader(made_.node)) return;
    made_.variables.counted = made_.form.variable;
    made_.variables.declared = inner.declared;
    change_finder changes;
    changes.look_through(made_.node);
    made_.variables.changed = changes.changed;
    for (const clang::VarDecl* one : inner.declared) {
      // The loops inside count by theirs.
      if (changes.changed.contains(one)) made_.variables.reassigned.insert(one);
      if (place_.usage.escaped.contains(one))
        return no("the address of '" + one->getNameAsString() + "' is taken");
    }
  }

  std::string acts(const clang::Stmt* body) {
    struct visitor : tree_walker {
      call_effects* calls = nullptr;
      const clang::CallExpr* found = nullptr;
      bool VisitCallExpr(clang::CallExpr* call) override {
        if (!commuting_in(call) && calls->of(call->getDirectCallee()) == call_effect::any)
          found = call;
        return found == nullptr;
      }
    };
    visitor look;
    look.calls = &place_.calls;
    look.look_through(body);
    if (look.found == nullptr) return "a statement in it is not for several lanes";
    const clang::FunctionDecl* callee = look.found->getDirectCallee();
    if (callee == nullptr) return "it calls a function through a pointer";
    return "it calls '" + callee->getNameAsString() + "', which may do more than compute a value";
  }

  bool calls_reader(const clang::Stmt* body) {
    struct visitor : tree_walker {
      call_effects* calls = nullptr;
      const clang::FunctionDecl* found = nullptr;
      bool VisitCallExpr(clang::CallExpr* call) override {
        if (calls->of(call->getDirectCallee()) == call_effect::reads)
          found = call->getDirectCallee();
        return found == nullptr;
      }
    };
    if (made_.promised) return false;
    visitor look;
    look.calls = &place_.calls;
    look.look_through(body);
    if (look.found == nullptr) return false;
    // Whatever it reads stays as it is where the loop stores nothing.
    if (!effects_of(body, place_.calls, place_.owns).stores) return false;
    no("it stores, and calls '" + look.found->getNameAsString() + "', which reads memory");
    return true;
  }

  void look_at_variables() {
    for (const clang::VarDecl* one : made_.variables.changed) {
      if (one == made_.form.variable || made_.variables.declared.contains(one)) continue;
      const std::string name = "'" + one->getNameAsString() + "'";
      if (!one->hasLocalStorage() || one->getType()->isReferenceType() || !place_.owns(one))
        continue;  // memory, with its other accesses
      if (one->getType()->isArrayType())
        return no("each lane would have an array " + name + " of its own");
      if (place_.usage.escaped.contains(one)) return no("the address of " + name + " is taken");
      if (!one->getType()->isScalarType()) return no("it changes " + name);
      if (const auto operation = reduction_of(place_.source, made_.node, one)) {
        const bool ordered = one->getType()->isFloatingType();
        if (ordered && *operation != "+") return no("it changes " + name);
        if (ordered && !place_.source.context->getLangOpts().AllowFPReassoc)
          return no("it adds floating-point numbers to " + name + " in order");
        made_.reductions.push_back({one, *operation});
      } else if (is_set_first(made_.node->getBody(), one)) {
        made_.own.push_back(one);
      } else if (auto sum = prefix_of(place_, made_.node, one)) {
        made_.prefixes.push_back(std::move(*sum));
      } else {
        return no("an iteration uses what the one before left in " + name);
      }
    }
    const auto by_place = [](const clang::VarDecl* a, const clang::VarDecl* b) {
      return a->getLocation() < b->getLocation();
    };
    std::ranges::sort(made_.own, by_place);
    std::ranges::sort(made_.prefixes, by_place, &prefix_sum::variable);
    std::ranges::sort(made_.reductions, by_place, &reduction::variable);
    // Its head is computed once.
    const std::vector<counted_loop> none;
    address_reader reader(place_.source, made_.variables, none);
    const auto fixed = [&](const clang::Expr* value) {
      return value == nullptr || reader.is_fixed(value);
    };
    if (!fixed(made_.form.limit)) no("its limit may change");
    if (!fixed(made_.form.step)) no("its step may change");
  }

  void look_at_nest() {
    const code_effects found = effects_of(made_.nest, place_.calls, place_.owns);
    if (found.acts || way_out_finder::is_in(made_.nest)) return no("it does more than count");
    if (calls_reader(made_.nest)) return;
    made_.variables.counted = made_.form.variable;
    change_finder changes;
    changes.look_through(made_.nest);
    made_.variables.changed = changes.changed;
    made_.variables.declared = found.declared;
    for (const clang::VarDecl* one : found.declared) {
      if (changes.changed.contains(one)) made_.variables.reassigned.insert(one);
      if (place_.usage.escaped.contains(one)) no("an address is taken");
    }
    for (const clang::VarDecl* one : found.changed) {
      if (!one->getType()->isScalarType() || place_.usage.escaped.contains(one))
        no("it changes more than scalar variables");
    }
    const std::vector<counted_loop> none;
    address_reader reader(place_.source, made_.variables, none);
    for (const clang::ForStmt* level = made_.nest; level != made_.node;) {
      if (const auto range = known_range(level, reader)) made_.around.push_back(*range);
      level = inside(level);
      if (level == nullptr) return no("there is more in it than a loop");
    }
    // Lanes keep the iterations that they have.
    if (!reader.is_fixed(made_.first) || !reader.is_fixed(made_.form.limit) ||
        (made_.form.step != nullptr && !reader.is_fixed(made_.form.step)))
      no("the range of the loop inside changes");
    if (reads_through_pointer(made_.first) || reads_through_pointer(made_.form.limit))
      no("the range of the loop inside may not be there");
  }

  std::optional<counted_loop> known_range(const clang::ForStmt* loop, address_reader& reader) {
    const auto form = find_form(*place_.source.context, loop);
    if (!form) return std::nullopt;
    const counted_loop made{*form, first_value(loop, *form), false};
    return is_known(made, reader) ? std::optional(made) : std::nullopt;
  }

  // The one loop in the body of another, if all lanes can run all else, and that computes only.
  const clang::ForStmt* inside(const clang::ForStmt* loop) {
    const auto form = find_form(*place_.source.context, loop);
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
    if (!form || !form->variable->hasLocalStorage() || !place_.owns(form->variable) ||
        place_.usage.escaped.contains(form->variable))
      return nullptr;
    if (list == nullptr) return llvm::dyn_cast<clang::ForStmt>(loop->getBody());
    const clang::ForStmt* found = nullptr;
    for (const clang::Stmt* each : list->body()) {
      if (const auto* inner = llvm::dyn_cast<clang::ForStmt>(each)) {
        if (found != nullptr) return nullptr;
        found = inner;
        continue;
      }
      const code_effects does = effects_of(each, place_.calls, place_.owns);
      if (!does.can_all() || does.leaves || does.has_loop) return nullptr;
    }
    return found;
  }

  void look_at_accesses() {
    access_finder finder(place_, made_);
    finder.look_through(made_.node->getCond());
    finder.look_through(made_.node->getInc());
    finder.look_through(made_.node->getBody());
    judge_accesses();
  }
  void collect_accesses(const clang::ForStmt* nest) {
    access_finder finder(place_, made_);
    finder.look_through(nest);
    judge_accesses();
  }

  void judge_accesses() {
    merge_accesses();
    for (const access& one : made_.accesses) {
      if (one.stores && one.where && one.where->object != nullptr &&
          one.where->object->hasLocalStorage() && place_.owns(one.where->object))
        return no("each lane would have an array '" + one.where->object->getNameAsString() +
                  "' of its own");
    }
    if (made_.reads_early() && stores_what_it_reads())
      return no("an iteration stores where it reads, before it adds to a sum");
    const std::string conflict = find_overlaps(place_.source, place_.usage, made_);
    if (!conflict.empty()) return no(conflict);
    made_.near = stores_nearby(place_.source, made_);
  }

  bool stores_what_it_reads() const {
    return std::ranges::any_of(made_.accesses, [&](const access& one) {
      const auto same = [&](const access& other) { return other.root == one.root; };
      return one.stores && (one.root == nullptr || one.places.size() > 1 ||
                            std::ranges::count_if(made_.accesses, same) > 1);
    });
  }

  // Keeps one of accesses to the same place.
  void merge_accesses() {
    std::vector<access> kept;
    for (access& one : made_.accesses) {
      const auto same = std::ranges::find_if(kept, [&](const access& other) {
        const auto limit = [](const counted_loop& loop) { return loop.form.limit; };
        return one.where && other.where && one.commutes == other.commutes &&
               one.where->base == other.where->base && one.where->offset == other.where->offset &&
               one.bytes == other.bytes && one.where->may_wrap == other.where->may_wrap &&
               std::ranges::equal(one.around, other.around, {}, limit, limit);
      });
      if (same == kept.end()) {
        kept.push_back(std::move(one));
      } else {
        same->stores = same->stores || one.stores;
        same->places.push_back(one.place);
        if (same->on_condition && !one.on_condition) {
          same->on_condition = false;
          same->place = one.place;
        }
      }
    }
    made_.accesses = std::move(kept);
  }

  const loop_place& place_;
  lane_loop made_;
};

}  // namespace

lane_loop study(const loop_place& place, const clang::ForStmt* node) {
  return loop_study(place, node).run();
}

lane_loop study_nest(const loop_place& place, const clang::ForStmt* nest, const lane_loop& loop) {
  return loop_study(place, loop.node).run_nest(nest, loop);
}

bool is_promised(const clang::SourceManager& sources, const clang::ForStmt* node) {
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(node->getForLoc()));
  return sources.getBufferData(file).take_front(offset).rtrim().ends_with("CHANNELS_INDEPENDENT");
}

std::optional<std::uint64_t> constant_trips(const program& source, const loop_form& form,
                                            const clang::Expr* begin) {
  clang::Expr::EvalResult first;
  clang::Expr::EvalResult limit;
  clang::Expr::EvalResult step;
  const clang::ASTContext& context = *source.context;
  if (begin == nullptr || !begin->EvaluateAsInt(first, context) ||
      !form.limit->EvaluateAsInt(limit, context))
    return std::nullopt;
  std::int64_t by = 1;
  if (form.step != nullptr) {
    if (!form.step->EvaluateAsInt(step, context)) return std::nullopt;
    by = std::abs(step.Val.getInt().getExtValue());
  }
  const std::int64_t from = first.Val.getInt().getExtValue();
  const std::int64_t to = limit.Val.getInt().getExtValue();
  const std::int64_t span = form.down ? from - to : to - from;
  if (by == 0 || span < 0) return std::nullopt;
  return static_cast<std::uint64_t>((span + by - 1) / by);
}

bool has_few_trips(const program& source, const lane_loop& loop) {
  constexpr std::uint64_t most = 16;
  const auto trips = constant_trips(source, loop.form, loop.first);
  return trips && *trips <= most;
}

}  // namespace cilk2chan
