#include "tasks/lower.hpp"

#include "analysis/effects.hpp"
#include "frontend/keywords.hpp"
#include "tasks/parallel_loops.hpp"

#include <clang/AST/Stmt.h>

#include <algorithm>
#include <iterator>
#include <span>

namespace cilk2chan {
namespace {

using part_list = std::span<const statement_part>;

class lowering {
 public:
  lowering(const program& source, const task_function& task, const variable_usage& usage,
           const join_points& waits)
      : source_(source), task_(task), usage_(usage), waits_(waits) {
    result_.task = &task;
    result_.spawn_bound = most_spawns(task);
  }

  lowered_function run() {
    if (task_.loop != nullptr) return run_loop();
    const auto parts = parts_of(task_, task_.body());
    result_.enter = enter_list(parts);
    result_.points = points_;
    return std::move(result_);
  }

 private:
  // A loop is a range of iterations. A long one waits for its two halves at point 1; iterations
  // begin at point 2, or run in the pre-spawn node if nothing in their body has to wait.
  lowered_function run_loop() {
    constexpr unsigned halves = 2;
    const statement_part body{task_.body(), nullptr, nullptr, nullptr};
    points_ = 1;
    result_.resume.push_back({points_, {{step_kind::finish_end, {}, 0, {}, {}, {}}}});
    if (result_.spawn_bound) result_.spawn_bound = std::max(*result_.spawn_bound, halves);
    if (task_.suspending.contains(task_.body())) {
      step turn{step_kind::iterate, body, 0, {}, {}, {}};
      ++points_;
      turn.body = resume_list(parts_of(task_, task_.body()));
      if (waits_.at_end) turn.point = ++points_;
      result_.resume.push_back({2, {std::move(turn), {step_kind::finish_end, {}, 0, {}, {}, {}}}});
    } else {
      result_.enter.push_back({step_kind::iterate, body, 0, {}, {}, {}});
    }
    result_.points = points_;
    return std::move(result_);
  }

  // The pre-spawn node runs until the frame is open and the first spawns are made. It opens the
  // frame as late as possible: a call that spawns nothing needs no frame.
  std::vector<step> enter_list(part_list parts) {
    std::vector<step> steps;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const statement_part& piece = parts[i];
      const part_list rest = parts.subspan(i);
      if (!suspends_any(rest)) {
        for (const statement_part& one : rest) steps.push_back(plain(one));
        return ended(std::move(steps), rest);
      }
      if (is_sync(piece) && !waits_.syncs.contains(piece.statement)) continue;
      if (suspends(task_, piece)) {
        const auto* branch = llvm::dyn_cast<clang::IfStmt>(piece.statement);
        if (piece.child == nullptr && branch != nullptr && can_enter(branch)) {
          step split{step_kind::branch, piece, 0, {}, {}, {}};
          split.body = enter_branch(branch->getThen());
          split.otherwise = enter_branch(branch->getElse());
          steps.push_back(std::move(split));
          if (!falls_through(branch)) return steps;
          continue;
        }
        return opened(std::move(steps), rest);
      }
      if (!can_precede_open(piece)) return opened(std::move(steps), rest);
      steps.push_back(plain(piece));
    }
    return ended(std::move(steps), parts);
  }

  std::vector<step> enter_branch(const clang::Stmt* body) {
    if (body == nullptr) return {};
    const auto parts = parts_of(task_, body);
    if (suspends_any(parts)) return enter_list(parts);
    std::vector<step> steps;
    std::ranges::transform(parts, std::back_inserter(steps),
                           [&](const statement_part& one) { return plain(one); });
    return steps;
  }

  // A branch can be part of `enter` if each arm either leaves the function or needs no frame.
  bool can_enter(const clang::IfStmt* branch) {
    if (!can_repeat(branch->getCond(), usage_)) return false;
    const auto leaves = [&](const clang::Stmt* way) {
      return way == nullptr || !falls_through(way) ||
             (!task_.suspending.contains(way) && cilk2chan::can_precede_open(way, usage_));
    };
    return leaves(branch->getThen()) && leaves(branch->getElse());
  }

  bool can_precede_open(const statement_part& piece) {
    return piece.variable != nullptr
               ? can_repeat(piece.variable->getInit() == nullptr ? piece.statement
                                                                 : piece.variable->getInit(),
                            usage_)
               : cilk2chan::can_precede_open(piece.statement, usage_);
  }

  std::vector<step> opened(std::vector<step> steps, part_list rest) {
    const group first = group_at(rest);
    steps.push_back({step_kind::open, rest.front(), 0, first.needed, {}, {}});
    for (std::size_t i = 0; i < first.length; ++i) append_reserved(steps, rest[i]);
    const part_list after = rest.subspan(first.length);
    if (after.empty()) {
      append_end(steps);
      segment_after_end(steps.back());
      return steps;
    }
    const statement_part& next = after.front();
    if (is_sync(next)) {
      if (!waits_.syncs.contains(next.statement)) return go_on(std::move(steps), after);
      steps.push_back(sync_step(next));
      add_segment(steps.back().point, after.subspan(1));
      return steps;
    }
    if (next.child != nullptr && next.child->returned) {
      steps.push_back({step_kind::spawn, next, 0, {}, {}, {}});
      steps.push_back(sync_step(next));
      result_.resume.push_back(
          {steps.back().point, {{step_kind::finish_child, next, 0, {}, {}, {}}}});
      return steps;
    }
    if (next.child != nullptr) {
      steps.push_back({step_kind::spawn, next, 0, {}, {}, {}});
      steps.push_back(sync_step(next));
      add_segment(steps.back().point, after.subspan(1));
      return steps;
    }
    return go_on(std::move(steps), after);
  }

  // Parts that the pre-spawn node cannot express run in the post-spawn node, at once.
  std::vector<step> go_on(std::vector<step> steps, part_list rest) {
    const unsigned point = ++points_;
    steps.push_back({step_kind::resume_at, rest.front(), point, {}, {}, {}});
    add_segment(point, rest);
    return steps;
  }

  void add_segment(unsigned point, part_list rest) {
    const std::size_t index = result_.resume.size();
    result_.resume.push_back({point, {}});
    auto steps = resume_list(rest);
    if (rest.empty() || falls_through_all(rest)) append_end(steps);
    result_.resume[index].steps = std::move(steps);
  }

  // Children that are outstanding at the end of the function are waited for there.
  void segment_after_end(const step& end) {
    if (end.point != 0)
      result_.resume.push_back({end.point, {{step_kind::finish_end, {}, 0, {}, {}, {}}}});
  }

  // The post-spawn node.
  std::vector<step> resume_list(part_list parts) {
    std::vector<step> steps;
    std::size_t reserved = 0;  // parts before this one have their room from a group
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const statement_part& piece = parts[i];
      if (!suspends(task_, piece)) {
        steps.push_back(plain(piece));
        continue;
      }
      if (is_sync(piece)) {
        if (waits_.syncs.contains(piece.statement)) steps.push_back(sync_step(piece));
        continue;
      }
      if (piece.memory != nullptr) {
        steps.push_back({step_kind::allocate, piece, ++points_, {}, {}, {}});
        continue;
      }
      if (i >= reserved) {
        const group found = group_at(parts.subspan(i));
        if (found.spawns > 1 || (found.spawns == 1 && !can_ask_again(piece))) {
          steps.push_back({step_kind::reserve, piece, ++points_, found.needed, {}, {}});
          reserved = i + std::max<std::size_t>(found.length, 1);
          if (found.with_last) reserved = std::max(reserved, i + found.length + 1);
        }
      }
      if (piece.child != nullptr) {
        append_child(steps, piece, i < reserved);
      } else if (i < reserved) {
        append_reserved(steps, piece);
      } else {
        steps.push_back(nested(piece));
      }
    }
    return steps;
  }

  void append_child(std::vector<step>& steps, const statement_part& piece, bool reserved) {
    steps.push_back({step_kind::spawn, piece, reserved ? 0 : ++points_, {}, {}, {}});
    if (piece.child->returned) {
      steps.push_back(sync_step(piece));
      steps.push_back({step_kind::finish_child, piece, 0, {}, {}, {}});
    } else if (!piece.child->spawned) {
      steps.push_back(sync_step(piece));
    }
  }

  step nested(const statement_part& piece) {
    const clang::Stmt* node = piece.statement;
    const auto body = [&](const clang::Stmt* inner) { return resume_list(parts_of(task_, inner)); };
    if (waits_.returns.contains(node)) {
      return {step_kind::wait_return, piece, ++points_, {}, {}, {}};
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(node)) {
      step made{step_kind::branch, piece, 0, {}, body(branch->getThen()), {}};
      made.otherwise = body(branch->getElse());
      return made;
    }
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(node)) {
      return {step_kind::loop, piece, 0, {}, body(loop->getBody()), {}};
    }
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(node)) {
      return {step_kind::loop, piece, 0, {}, body(loop->getBody()), {}};
    }
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(node)) {
      return {step_kind::loop, piece, 0, {}, body(loop->getBody()), {}};
    }
    return {step_kind::block, piece, 0, {}, body(node), {}};
  }

  // Lowers a piece for whose children room is reserved.
  void append_reserved(std::vector<step>& steps, const statement_part& piece) {
    if (piece.child != nullptr) {
      steps.push_back({step_kind::spawn, piece, 0, {}, {}, {}});
      return;
    }
    if (piece.ends_scope) return;  // one that waits is in no group
    if (!suspends(task_, piece)) {
      steps.push_back(plain(piece));
      return;
    }
    const auto inner = [&](const clang::Stmt* node) {
      std::vector<step> made;
      for (const statement_part& one : parts_of(task_, node)) append_reserved(made, one);
      return made;
    };
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(piece.statement)) {
      step made{step_kind::branch, piece, 0, {}, inner(branch->getThen()), {}};
      made.otherwise = inner(branch->getElse());
      steps.push_back(std::move(made));
    } else {
      steps.push_back({step_kind::block, piece, 0, {}, inner(piece.statement), {}});
    }
  }

  // Spawns in a row whose room is reserved together.
  struct group {
    room needed;
    std::size_t length = 0;  // in parts; a call at the end, which syncs at once, is not counted
    unsigned spawns = 0;
    bool with_last = false;
  };

  group group_at(part_list parts) {
    group found;
    std::size_t length = 0;
    for (const statement_part& piece : parts) {
      ++length;
      const auto needed = bounded_spawns(source_, task_, waits_, piece);
      if (!needed) {
        if (piece.child != nullptr) {
          add(found, {{source_.task_of(*piece.child)->name, 1}});
          found.length = length - 1;
          found.with_last = true;
        }
        break;
      }
      add(found, *needed);
      found.length = length;
    }
    return found;
  }

  static void add(group& sum, const room& more) {
    for (const auto& [task, count] : more) {
      sum.needed[task] += count;
      sum.spawns += count;
    }
  }

  // Whether a spawn that found no room can be repeated, arguments included.
  bool can_ask_again(const statement_part& piece) {
    if (piece.child == nullptr) return false;
    if (piece.child->loop != nullptr) return can_count_again(source_, *piece.child->loop->loop);
    return std::ranges::all_of(piece.child->call->arguments(), [&](const clang::Expr* argument) {
      return !argument->HasSideEffects(*source_.context);
    });
  }

  std::vector<step> ended(std::vector<step> steps, part_list parts) {
    if (parts.empty() || falls_through_all(parts)) append_end(steps);
    return steps;
  }

  void append_end(std::vector<step>& steps) {
    const unsigned point = waits_.at_end ? ++points_ : 0;
    steps.push_back({step_kind::finish_end, {}, point, {}, {}, {}});
  }

  step plain(const statement_part& piece) {
    return {piece.variable != nullptr ? step_kind::declare : step_kind::text, piece, 0, {}, {}, {}};
  }

  step sync_step(const statement_part& piece) {
    return {step_kind::sync, piece, ++points_, {}, {}, {}};
  }

  [[nodiscard]] bool is_sync(const statement_part& piece) const {
    if (piece.ends_scope) return true;
    return piece.variable == nullptr && piece.child == nullptr && piece.memory == nullptr &&
           cilk2chan::is_sync(piece.statement, source_.sources());
  }

  [[nodiscard]] bool suspends_any(part_list parts) const {
    return std::ranges::any_of(parts,
                               [&](const statement_part& one) { return suspends(task_, one); });
  }

  [[nodiscard]] static bool falls_through_all(part_list parts) {
    return std::ranges::all_of(
        parts, [](const statement_part& one) { return falls_through(one.statement); });
  }

  const program& source_;
  const task_function& task_;
  const variable_usage& usage_;
  const join_points& waits_;
  lowered_function result_;
  unsigned points_ = 0;
};

}  // namespace

lowered_function lower(const program& source, const task_function& task,
                       const variable_usage& usage, const join_points& waits) {
  return lowering(source, task, usage, waits).run();
}

}  // namespace cilk2chan
