#include "tasks/sums.hpp"

#include "frontend/tree_walker.hpp"
#include "tasks/hints.hpp"

#include <algorithm>
#include <optional>

namespace cilk2chan {
namespace {

/// Variables that get results of children.
using result_set = llvm::DenseSet<const clang::VarDecl*>;

clang::QualType plain(clang::QualType type) { return type.getCanonicalType().getUnqualifiedType(); }

clang::QualType result_type(const lowered_function& lowered) {
  return plain(lowered.task->definition->getReturnType());
}

/// Looks in a term for values that children may change, and for side effects: such a term cannot be
/// computed before the children have finished.
class result_change_finder : public tree_walker {
 public:
  result_change_finder(const variable_usage& usage, const result_set& results)
      : usage_(usage), results_(results) {}

  bool found = false;

  bool VisitStmt(clang::Stmt* node) override {
    if (const auto* const cast = llvm::dyn_cast<clang::CastExpr>(node)) {
      const clang::CastKind kind = cast->getCastKind();
      return kind == clang::CK_LValueToRValue || kind == clang::CK_IntegralCast ||
             kind == clang::CK_NoOp || stop();
    }
    if (const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(node)) return is_fixed(*name);
    if (const auto* const two = llvm::dyn_cast<clang::BinaryOperator>(node))
      return !two->isAssignmentOp() || stop();
    if (const auto* const one = llvm::dyn_cast<clang::UnaryOperator>(node))
      return one->isArithmeticOp() || stop();
    return llvm::isa<clang::IntegerLiteral, clang::CharacterLiteral, clang::ConstantExpr,
                     clang::ParenExpr, clang::ConditionalOperator>(node) ||
           stop();
  }

 private:
  bool is_fixed(const clang::DeclRefExpr& name) {
    if (llvm::isa<clang::EnumConstantDecl>(name.getDecl())) return true;
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(name.getDecl());
    return (variable != nullptr && variable->hasLocalStorage() &&
            variable->getType()->isIntegerType() && !variable->getType().isVolatileQualified() &&
            !usage_.escaped.contains(variable) && !results_.contains(variable)) ||
           stop();
  }
  bool stop() {
    found = true;
    return false;
  }

  const variable_usage& usage_;
  const result_set& results_;
};

class sum_reader {
 public:
  sum_reader(const lowered_function& lowered, const variable_usage& usage,
             const result_set& results)
      : usage_(usage), results_(results), type_(result_type(lowered)) {}

  /// Whether `expression` is a sum of the results, each once, and of known terms.
  bool is_sum(const clang::Expr* expression) {
    return add(expression) && seen_.size() == results_.size();
  }
  /// Whether `term` can be computed before the children have finished.
  bool is_known(const clang::Expr* term) const {
    result_change_finder changes(usage_, results_);
    changes.look_through(term);
    return !changes.found;
  }

 private:
  bool add(const clang::Expr* expression) {
    expression = expression->IgnoreParens();
    if (const clang::VarDecl* const variable = bare_variable(expression);
        variable != nullptr && results_.contains(variable)) {
      return has_type(expression) && seen_.insert(variable).second;
    }
    const auto* const sum = llvm::dyn_cast<clang::BinaryOperator>(expression);
    if (sum != nullptr && has_type(sum)) {
      if (sum->getOpcode() == clang::BO_Add) return add(sum->getLHS()) && add(sum->getRHS());
      if (sum->getOpcode() == clang::BO_Sub) return add(sum->getLHS()) && is_known(sum->getRHS());
    }
    return is_known(expression);
  }
  bool has_type(const clang::Expr* expression) const {
    return plain(expression->getType()) == type_;
  }

  const variable_usage& usage_;
  const result_set& results_;
  clang::QualType type_;
  result_set seen_;
};

/// The variables that get the results of `children`, or nothing if a result goes elsewhere, is
/// dropped, or has another type than the task's.
std::optional<result_set> results_of(const lowered_function& lowered, const variable_usage& usage,
                                     const std::vector<const child_call*>& children) {
  const task_function& task = *lowered.task;
  result_set results;
  for (const child_call* const one : children) {
    const child_call& child = *one;
    if (!child.has_result()) continue;
    const clang::VarDecl* variable = child.variable;
    if (child.place != nullptr) variable = bare_variable(child.place);
    if (variable == nullptr || !variable->hasLocalStorage() || !task.has_result() ||
        variable->getType().isVolatileQualified() || usage.escaped.contains(variable)) {
      return std::nullopt;
    }
    const clang::QualType type = result_type(lowered);
    if (plain(variable->getType()) != type || plain(child.callee->getReturnType()) != type ||
        !results.insert(variable).second) {
      return std::nullopt;
    }
  }
  return results;
}

/// Whether `last`, the last step of the task, returns a sum of `results`, or no value.
bool ends_in_sum(const lowered_function& lowered, const variable_usage& usage, const step& last,
                 const result_set& results) {
  if (last.kind == step_kind::finish_end) return !lowered.task->has_result();
  const auto* const returned =
      last.kind != step_kind::text
          ? nullptr
          : llvm::dyn_cast_or_null<clang::ReturnStmt>(last.piece.statement);
  if (returned == nullptr) return false;
  if (returned->getRetValue() == nullptr) return true;
  return result_type(lowered)->isIntegerType() &&
         sum_reader(lowered, usage, results).is_sum(returned->getRetValue());
}

/// Reads a task that spawns in loops, and then waits once.
class summing_loop_reader {
 public:
  summing_loop_reader(const lowered_function& lowered, const variable_usage& usage,
                      const std::vector<summed_array>& arrays)
      : lowered_(lowered), usage_(usage), arrays_(arrays) {
    for (const summed_array& one : arrays) sums_.insert(one.sum);
  }

  bool sums_up() {
    return all_results_are_summed() && can_go_on(lowered_.enter) &&
           std::ranges::all_of(lowered_.resume,
                               [&](const segment& one) { return can_go_on(one.steps); }) &&
           waits_ == 1 && ends_in_sums();
  }

 private:
  bool all_results_are_summed() const {
    const clang::QualType type = result_type(lowered_);
    if (lowered_.task->has_result() && !type->isIntegerType()) return false;
    return std::ranges::all_of(lowered_.task->children, [&](const auto& entry) {
      const child_call& child = *entry.second;
      if (!child.spawned) return false;
      if (!child.has_result()) return true;
      const clang::VarDecl* const root =
          child.place == nullptr ? nullptr : root_variable(child.place);
      return plain(child.callee->getReturnType()) == type &&
             std::ranges::any_of(arrays_, [&](const summed_array& one) {
               return one.array == root && plain(one.sum->getType()) == type;
             });
    });
  }

  // Whether all steps are of known kinds. Counts the places where the task waits.
  bool can_go_on(const std::vector<step>& steps) {
    return std::ranges::all_of(steps, [&](const step& one) {
      switch (one.kind) {
        case step_kind::allocate:
        case step_kind::wait_return:
        case step_kind::finish_child:
        case step_kind::iterate: return false;
        case step_kind::sync: ++waits_; break;
        case step_kind::finish_end: waits_ += one.point != 0 ? 1 : 0; break;
        default: break;
      }
      return can_go_on(one.body) && can_go_on(one.otherwise);
    });
  }

  // Whether the steps behind the sync are sums; the sync is in no branch and no loop.
  bool ends_in_sums() const {
    const auto waits = [](const step& one) {
      return one.kind == step_kind::sync || (one.kind == step_kind::finish_end && one.point != 0);
    };
    for (const segment& part : lowered_.resume) {
      const auto sync = std::ranges::find_if(part.steps, waits);
      if (sync == part.steps.end()) continue;
      if (sync->kind == step_kind::finish_end) return !lowered_.task->has_result();
      return are_sums({sync + 1, part.steps.end()});
    }
    return false;
  }
  bool are_sums(std::vector<step> steps) const {
    if (steps.empty()) return false;
    const step last = steps.back();
    steps.pop_back();
    std::size_t added = 0;
    for (const step& one : steps) {
      const clang::Stmt* const statement = one.piece.statement;
      if (one.kind == step_kind::text && adds_up(arrays_, statement)) {
        ++added;
      } else if (!declares_known(statement)) {
        return false;
      }
    }
    return added == arrays_.size() && ends_in_sum(lowered_, usage_, last, sums_);
  }
  bool declares_known(const clang::Stmt* statement) const {
    const auto* const made = llvm::dyn_cast_or_null<clang::DeclStmt>(statement);
    return made != nullptr && std::ranges::all_of(made->decls(), [&](const clang::Decl* one) {
             const auto* const variable = llvm::dyn_cast<clang::VarDecl>(one);
             return variable != nullptr && variable->getType()->isIntegerType() &&
                    (variable->getInit() == nullptr ||
                     sum_reader(lowered_, usage_, sums_).is_known(variable->getInit()));
           });
  }

  const lowered_function& lowered_;
  const variable_usage& usage_;
  const std::vector<summed_array>& arrays_;
  result_set sums_;
  unsigned waits_ = 0;
};

/// Reads a task whose branches spawn, wait once and return, each for itself.
class summing_branch_reader {
 public:
  summing_branch_reader(const lowered_function& lowered, const variable_usage& usage)
      : lowered_(lowered), usage_(usage) {}

  bool sums_up() {
    return read(lowered_.enter) && spawns_ == lowered_.task->children.size() &&
           waits_ == lowered_.resume.size();
  }

 private:
  bool read(const std::vector<step>& steps) {
    std::vector<const child_call*> spawned;
    for (const step& one : steps) {
      switch (one.kind) {
        case step_kind::branch:
          // What follows a branch would wait for what it has spawned.
          if (!spawned.empty() || !read(one.body) || !read(one.otherwise)) return false;
          break;
        case step_kind::spawn:
          spawned.push_back(one.piece.child);
          ++spawns_;
          break;
        case step_kind::sync: return waits(one.point, spawned);
        case step_kind::finish_end:
          if (one.point != 0) return waits(one.point, spawned);
          break;
        case step_kind::text:
        case step_kind::declare:
        case step_kind::open: break;
        default: return false;
      }
    }
    return spawned.empty();
  }
  bool waits(unsigned point, const std::vector<const child_call*>& spawned) {
    const auto part = std::ranges::find(lowered_.resume, point, &segment::point);
    if (part == lowered_.resume.end() || part->steps.size() != 1) return false;
    ++waits_;
    const auto results = results_of(lowered_, usage_, spawned);
    return results && ends_in_sum(lowered_, usage_, part->steps.front(), *results);
  }

  const lowered_function& lowered_;
  const variable_usage& usage_;
  std::size_t spawns_ = 0;
  std::size_t waits_ = 0;
};

void find_most_at_once(const std::vector<step>& steps, unsigned& most) {
  for (const step& one : steps) {
    unsigned count = 0;
    for (const auto& [task, needed] : one.needed) count += needed;
    most = std::max(most, count);
    find_most_at_once(one.body, most);
    find_most_at_once(one.otherwise, most);
  }
}

}  // namespace

bool sums_up(const lowered_function& lowered, const variable_usage& usage) {
  const task_function& function = *lowered.task;
  if (function.loop != nullptr || !lowered.spawn_bound) return false;
  if (lowered.resume.size() != 1) return summing_branch_reader(lowered, usage).sums_up();
  if (lowered.resume.front().steps.size() != 1) return false;
  std::vector<const child_call*> children;
  for (const auto& entry : function.children) children.push_back(entry.second.get());
  const std::optional<result_set> results = results_of(lowered, usage, children);
  if (!results) return false;
  return ends_in_sum(lowered, usage, lowered.resume.front().steps.front(), *results);
}

bool sums_up_in_loops(const lowered_function& lowered, const variable_usage& usage,
                      const std::vector<summed_array>& arrays) {
  return lowered.task->loop == nullptr && !lowered.spawn_bound &&
         summing_loop_reader(lowered, usage, arrays).sums_up() && is_short(lowered, arrays);
}

unsigned most_at_once(const lowered_function& lowered) {
  unsigned most = 1;
  find_most_at_once(lowered.enter, most);
  for (const segment& part : lowered.resume) find_most_at_once(part.steps, most);
  return most;
}

}  // namespace cilk2chan
