#pragma once

#include "analysis/join_points.hpp"
#include "analysis/usage.hpp"
#include "frontend/program.hpp"

#include <map>
#include <optional>
#include <set>

namespace cilk2chan {

enum class step_kind {
  text,          // a statement as it stands
  declare,       // one variable of a declaration that was taken apart
  open,          // takes the frame, and room for the first spawns
  reserve,       // makes sure of room for the next spawns, or yields
  allocate,      // memory besides the frame; yields where there is none
  spawn,         // of a child; yields where it has a point
  sync,          // waits for children; goes on at a point
  wait_return,   // computes the result, syncs and finishes
  finish_child,  // finishes with the result of a child
  finish_end,    // control falls off the end
  branch,
  loop,
  block,
  resume_at,  // goes on in `resume`
  iterate,    // of a `cilk_for`, each iteration of a range; with a point, a sync behind each
};

/// Numbers of children by the names of their tasks.
using room = std::map<std::string, unsigned>;

/// One statement of a node of the lowered function.
struct step {
  step_kind kind = step_kind::text;
  statement_part piece;  // the statement it comes from
  unsigned point = 0;    // where `resume` goes on; 0 if it never has to
  room needed;
  std::vector<step> body;
  std::vector<step> otherwise;
};

/// A part of `resume`: the steps from `point` on.
struct segment {
  unsigned point = 0;
  std::vector<step> steps;
};

/// A function as a state machine.
struct lowered_function {
  const task_function* task = nullptr;
  std::vector<step> enter;
  std::vector<segment> resume;
  unsigned points = 0;
  std::optional<unsigned> spawn_bound;  // most spawns up to a sync; none: not known
};

/// Splits a function at its syncs, and at spawns for which no room can be reserved beforehand.
[[nodiscard]] lowered_function lower(const program& source, const task_function& task,
                                     const variable_usage& usage, const join_points& waits);

/// The variables that `enter` uses before it has a frame; a declaration alone is no use.
[[nodiscard]] std::set<const clang::VarDecl*> used_before_open(const lowered_function& function);

/// The room to reserve for the children in `piece`; nothing if their number depends on a loop, or
/// something in `piece` has to wait for them.
[[nodiscard]] std::optional<room> bounded_spawns(const program& source, const task_function& task,
                                                 const join_points& waits,
                                                 const statement_part& piece);

/// The most spawns between two syncs of the function; none if a loop spawns.
[[nodiscard]] std::optional<unsigned> most_spawns(const task_function& task);

}  // namespace cilk2chan
