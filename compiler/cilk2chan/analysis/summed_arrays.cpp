#include "analysis/summed_arrays.hpp"

#include "analysis/change_visitor.hpp"
#include "frontend/tree_walker.hpp"

#include <algorithm>
#include <optional>

namespace cilk2chan {
namespace {

/// `array[index]`, both variables.
struct element_of {
  const clang::VarDecl* array = nullptr;
  const clang::VarDecl* index = nullptr;

  explicit element_of(const clang::Expr* place) {
    const auto* const element =
        place == nullptr ? nullptr
                         : llvm::dyn_cast<clang::ArraySubscriptExpr>(place->IgnoreParenImpCasts());
    if (element == nullptr) return;
    const clang::VarDecl* const base = bare_variable(element->getBase());
    if (base == nullptr || !base->getType()->isConstantArrayType()) return;
    index = bare_variable(element->getIdx());
    if (index != nullptr) array = base;
  }
};

/// The variable to which `statement` adds one.
const clang::VarDecl* counted_up(const clang::Stmt* statement) {
  if (const auto* const one = llvm::dyn_cast_or_null<clang::UnaryOperator>(statement))
    return one->isIncrementOp() ? bare_variable(one->getSubExpr()) : nullptr;
  const auto* const more = llvm::dyn_cast_or_null<clang::BinaryOperator>(statement);
  if (more == nullptr || more->getOpcode() != clang::BO_AddAssign) return nullptr;
  const auto* const by =
      llvm::dyn_cast<clang::IntegerLiteral>(more->getRHS()->IgnoreParenImpCasts());
  return by != nullptr && by->getValue() == 1 ? bare_variable(more->getLHS()) : nullptr;
}

bool is_zero(const clang::Expr* value) {
  const auto* const literal =
      value == nullptr ? nullptr
                       : llvm::dyn_cast<clang::IntegerLiteral>(value->IgnoreParenImpCasts());
  return literal != nullptr && literal->getValue() == 0;
}

/// The only statement of `body`.
const clang::Stmt* only_one(const clang::Stmt* body) {
  const auto* const list = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
  if (list == nullptr) return body;
  return list->size() == 1 ? *list->body_begin() : nullptr;
}

/// `for (int i = 0; i < limit; i++)`.
struct counting_loop {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* limit = nullptr;
  bool declares = false;

  explicit counting_loop(const clang::ForStmt& loop) {
    const clang::VarDecl* first = nullptr;
    if (const auto* const made = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit())) {
      if (made->isSingleDecl()) first = llvm::dyn_cast<clang::VarDecl>(made->getSingleDecl());
      declares = true;
      if (first == nullptr || !is_zero(first->getInit())) return;
    } else if (const auto* const set =
                   llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInit())) {
      if (set->getOpcode() != clang::BO_Assign || !is_zero(set->getRHS())) return;
      first = bare_variable(set->getLHS());
    }
    const auto* const goes_on = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
    if (first == nullptr || !first->hasLocalStorage() || !first->getType()->isIntegerType() ||
        loop.getConditionVariable() != nullptr || goes_on == nullptr ||
        (goes_on->getOpcode() != clang::BO_LT && goes_on->getOpcode() != clang::BO_NE) ||
        bare_variable(goes_on->getLHS()) != first || counted_up(loop.getInc()) != first) {
      return;
    }
    variable = first;
    limit = goes_on->getRHS();
  }
};

/// Counts how often a function mentions and changes each variable.
class name_counts : public change_visitor {
 public:
  llvm::DenseMap<const clang::VarDecl*, unsigned> mentioned;
  llvm::DenseMap<const clang::VarDecl*, unsigned> changed;

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* const variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      ++mentioned[variable];
    return true;
  }

  void change(const clang::Expr* place) override {
    if (const clang::VarDecl* const variable = root_variable(place)) ++changed[variable];
  }
};

unsigned mentions_in(const clang::Stmt* node, const clang::VarDecl* variable) {
  name_counts uses;
  uses.look_through(node);
  return uses.mentioned.lookup(variable);
}

class array_finder {
 public:
  array_finder(const program& source, const task_function& task, const variable_usage& usage)
      : source_(source), task_(task), usage_(usage) {
    if (list() != nullptr) uses_.look_through(task.body());
  }

  std::vector<summed_array> run() {
    std::vector<summed_array> found;
    if (list() == nullptr) return found;
    for (const auto& entry : task_.children) {
      const element_of place(entry.second->place);
      if (place.array == nullptr || is_known(found, place.array)) continue;
      if (const auto one = summed(place)) found.push_back(*one);
    }
    return found;
  }

 private:
  // The statements of the function itself, neither in a branch nor in a loop.
  [[nodiscard]] const clang::CompoundStmt* list() const {
    return llvm::dyn_cast_or_null<clang::CompoundStmt>(task_.body());
  }
  static bool is_known(const std::vector<summed_array>& found, const clang::VarDecl* array) {
    return std::ranges::any_of(found, [&](const summed_array& one) { return one.array == array; });
  }

  std::optional<summed_array> summed(const element_of& place) {
    summed_array made;
    made.array = place.array;
    const clang::VarDecl* const index = place.index;
    if (!is_own(made.array) || !is_own(index) || !index->getType()->isIntegerType())
      return std::nullopt;
    if (made.array->getInit() != nullptr) return std::nullopt;
    const clang::Expr* limit = nullptr;
    for (const clang::Stmt* one : list()->body()) {
      const auto* const loop = llvm::dyn_cast<clang::ForStmt>(one);
      if (loop == nullptr) continue;
      const counting_loop counted(*loop);
      if (counted.variable == nullptr || !adds(*loop, counted, made)) continue;
      limit = counted.limit;
      if (!counted.declares && is_read_behind(loop, counted.variable)) return std::nullopt;
    }
    if (made.loop == nullptr) return std::nullopt;
    const unsigned spawns = spawns_into(made.array, index);
    // Only the spawns and the sum mention the array.
    if (spawns == 0 || uses_.mentioned.lookup(made.array) != spawns + 1) return std::nullopt;
    if (is_counter(made.array, index, spawns, limit)) {
      // Only the spawns' places, the steps behind them and the sum's limit mention the index.
      if (uses_.mentioned.lookup(index) == 2 * spawns + 1) made.index = index;
      return made;
    }
    if (spawns == 1 && is_loop_index(made.array, index, limit)) return made;
    return std::nullopt;
  }

  [[nodiscard]] bool is_own(const clang::VarDecl* variable) const {
    return variable->hasLocalStorage() && !usage_.escaped.contains(variable) &&
           !variable->getType().isVolatileQualified();
  }

  // Whether the loop's body is `sum += array[i]`, and nothing else.
  bool adds(const clang::ForStmt& loop, const counting_loop& counted, summed_array& made) const {
    const auto* const step =
        llvm::dyn_cast_or_null<clang::BinaryOperator>(only_one(loop.getBody()));
    if (step == nullptr || step->getOpcode() != clang::BO_AddAssign) return false;
    const element_of read(step->getRHS());
    const clang::VarDecl* const sum = bare_variable(step->getLHS());
    if (read.array != made.array || read.index != counted.variable || sum == nullptr ||
        !is_own(sum) || made.loop != nullptr ||
        !same_type(sum->getType(), step->getRHS()->getType())) {
      return false;
    }
    made.sum = sum;
    made.loop = &loop;
    return true;
  }
  [[nodiscard]] bool same_type(clang::QualType one, clang::QualType other) const {
    return source_.context->hasSameUnqualifiedType(one, other);
  }

  bool is_read_behind(const clang::ForStmt* loop, const clang::VarDecl* variable) const {
    bool behind = false;
    for (const clang::Stmt* one : list()->body()) {
      if (behind && mentions_in(one, variable) != 0) return true;
      behind = behind || one == loop;
    }
    return false;
  }

  unsigned spawns_into(const clang::VarDecl* array, const clang::VarDecl* index) const {
    unsigned count = 0;
    for (const auto& entry : task_.children) {
      const element_of place(entry.second->place);
      if (place.array != array) continue;
      if (place.index != index || !entry.second->spawned) return 0;
      ++count;
    }
    return count;
  }

  // Whether the index begins with 0, and steps up behind each spawn and nowhere else.
  bool is_counter(const clang::VarDecl* array, const clang::VarDecl* index, unsigned spawns,
                  const clang::Expr* limit) const {
    if (bare_variable(limit) != index || !is_zero(index->getInit()) || !is_declared_here(index) ||
        uses_.changed.lookup(index) != spawns) {
      return false;
    }
    unsigned counted = 0;
    count_pairs(task_.body(), array, index, counted);
    return counted == spawns;
  }
  bool is_declared_here(const clang::VarDecl* variable) const {
    return std::ranges::any_of(list()->body(), [&](const clang::Stmt* one) {
      const auto* const made = llvm::dyn_cast<clang::DeclStmt>(one);
      return made != nullptr && std::ranges::any_of(made->decls(), [&](const clang::Decl* each) {
               return each == variable;
             });
    });
  }
  // Counts the spawns that have a step right behind them.
  void count_pairs(const clang::Stmt* node, const clang::VarDecl* array,
                   const clang::VarDecl* index, unsigned& counted) const {
    if (node == nullptr) return;
    const clang::Stmt* before = nullptr;
    const bool in_list = llvm::isa<clang::CompoundStmt>(node);
    for (const clang::Stmt* inner : node->children()) {
      if (in_list && before != nullptr && counted_up(inner) == index) {
        const child_call* const child = task_.child_at(before);
        counted += child != nullptr && element_of(child->place).array == array ? 1 : 0;
      }
      before = inner;
      count_pairs(inner, array, index, counted);
    }
  }

  // Whether the index is the variable of another loop with the same limit, and that loop itself,
  // not one inside it, has the spawn.
  bool is_loop_index(const clang::VarDecl* array, const clang::VarDecl* index,
                     const clang::Expr* limit) const {
    for (const clang::Stmt* one : list()->body()) {
      const auto* const loop = llvm::dyn_cast<clang::ForStmt>(one);
      if (loop == nullptr) continue;
      const counting_loop counted(*loop);
      if (counted.variable != index || mentions_in(loop->getBody(), array) == 0) continue;
      name_counts inside;
      inside.look_through(loop->getBody());
      return inside.changed.lookup(index) == 0 && mentions_in(loop->getBody(), array) == 1 &&
             spawns_outside_loops(loop->getBody(), array) == 1 && is_same(counted.limit, limit);
    }
    return false;
  }
  unsigned spawns_outside_loops(const clang::Stmt* node, const clang::VarDecl* array) const {
    if (node == nullptr || llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(node))
      return 0;
    if (const child_call* const child = task_.child_at(node))
      return element_of(child->place).array == array ? 1 : 0;
    unsigned count = 0;
    for (const clang::Stmt* inner : node->children()) count += spawns_outside_loops(inner, array);
    return count;
  }
  // Whether both are the same number, or the same variable, which never changes.
  bool is_same(const clang::Expr* one, const clang::Expr* other) const {
    const auto value = [&](const clang::Expr* limit) {
      return limit->getIntegerConstantExpr(*source_.context);
    };
    if (const auto first = value(one)) {
      const auto second = value(other);
      return second && llvm::APSInt::isSameValue(*first, *second);
    }
    const clang::VarDecl* const variable = bare_variable(one);
    return variable != nullptr && variable == bare_variable(other) && is_own(variable) &&
           uses_.changed.lookup(variable) == 0;
  }

  const program& source_;
  const task_function& task_;
  const variable_usage& usage_;
  name_counts uses_;
};

}  // namespace

std::vector<summed_array> find_summed_arrays(const program& source, const task_function& task,
                                             const variable_usage& usage) {
  return array_finder(source, task, usage).run();
}

bool adds_up(const std::vector<summed_array>& arrays, const clang::Stmt* statement) {
  return std::ranges::any_of(arrays,
                             [&](const summed_array& one) { return one.loop == statement; });
}

}  // namespace cilk2chan
