#include "tasks/lanes/choice.hpp"

#include "tasks/lanes/inlined_calls.hpp"
#include "tasks/lanes/printing.hpp"
#include "tasks/parallel_loops.hpp"

#include <algorithm>
#include <set>

namespace cilk2chan {
namespace {

class chooser {
 public:
  chooser(const loop_place& place, const task_function* task) : place_(place), task_(task) {}

  chosen_loops result;

  // The loops chosen in `code`.
  std::vector<lane_loop> look(const clang::Stmt* code) {
    if (code == nullptr) return {};
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(code);
    if (loop != nullptr && is_parallel(loop, place_.source.sources())) return {};
    if (loop == nullptr || (task_ != nullptr && task_->suspending.contains(loop)))
      return look_inside(code);
    const std::size_t line = result.said.size();
    result.said.emplace_back(loop, "");
    std::vector<lane_loop> inner = look(loop->getBody());
    lane_loop own = study(place_, loop);
    const bool all_near =
        !inner.empty() && std::ranges::all_of(inner, [](const lane_loop& one) { return one.near; });
    const bool takes_inner = !inner.empty() && (!own.is_lanes() || all_near || !own.near);
    std::string& text = result.said[line].second;
    if (takes_inner) {
      text = own.is_lanes() ? "one after the other, with the lanes in a loop inside"
                            : "one after the other: " + own.why_not;
      if (inner.size() == 1) widen(loop, inner.front(), text);
      // Lanes would meet behind each of a few iterations.
      const bool meet_often = std::ranges::all_of(inner, [&](const lane_loop& one) {
        return one.nest == nullptr && has_few_trips(place_.source, one);
      });
      if (!own.is_lanes() || !meet_often) return inner;
    }
    if (!own.is_lanes()) {
      text = "one after the other: " + own.why_not;
      return {};
    }
    text = said_of(own);
    for (std::size_t i = line + 1; i < result.said.size(); ++i)
      result.said[i].second = "part of an iteration of the loop around it";
    return {std::move(own)};
  }

 private:
  // Lets each lane run the loop around another one, so that lanes meet less often.
  void widen(const clang::ForStmt* around, lane_loop& loop, std::string& text) {
    if (loop.promised || !loop.reductions.empty() || !loop.prefixes.empty() || !loop.own.empty())
      return;
    lane_loop nest = study_nest(place_, around, loop);
    if (!nest.is_lanes()) return;
    if (loop.nest == nullptr) result.rows.emplace(loop.node, loop);
    text = nest.tile ? "eight at a time on each lane, which keeps what they store in registers"
                     : "one after the other on each lane, with its part of a loop inside";
    loop = std::move(nest);
  }

  std::vector<lane_loop> look_inside(const clang::Stmt* code) {
    std::vector<lane_loop> all;
    for (const clang::Stmt* child : code->children()) {
      for (lane_loop& one : look(child)) all.push_back(std::move(one));
    }
    return all;
  }

  std::string said_of(const lane_loop& loop) const {
    std::string text = "side by side on lanes";
    if (loop.promised) text += ", as the program promises";
    if (!loop.prefixes.empty()) text += ", which add up their terms first";
    std::set<std::string> pairs;
    for (const auto& [a, b] : loop.apart) {
      const std::string one = name(loop.accesses[loop.compared[a].access]);
      const std::string other = name(loop.accesses[loop.compared[b].access]);
      if (a != b) pairs.insert(one == other ? "parts of " + one : one + " and " + other);
    }
    std::string list;
    for (const std::string& pair : pairs) list += (list.empty() ? "" : ", ") + pair;
    if (!list.empty()) text += ", where it finds these apart when it begins: " + list;
    return text;
  }
  std::string name(const access& one) const {
    if (one.root != nullptr) return "'" + name_in_source(one.root) + "'";
    std::string text = print(place_.source, one.place);
    std::ranges::replace(text, '\n', ' ');
    return "'" + text + "'";
  }

  const loop_place& place_;
  const task_function* task_;
};

}  // namespace

chosen_loops choose_loops(const loop_place& place, const clang::Stmt* code,
                          const task_function* task) {
  chooser look(place, task);
  for (lane_loop& one : look.look(code)) {
    const clang::ForStmt* node = one.whole();
    look.result.lanes.emplace(node, std::move(one));
  }
  return std::move(look.result);
}

}  // namespace cilk2chan
