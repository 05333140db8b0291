#pragma once

#include "analysis/usage.hpp"
#include "tasks/lanes/addresses.hpp"
#include "tasks/lanes/effects.hpp"

#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cilk2chan {

/// One place in memory that a loop reads or writes.
struct access {
  const clang::Expr* place = nullptr;
  std::vector<const clang::Expr*> places;  // all that are at this address in each iteration
  bool stores = false;
  std::string commutes;                  // it is a change that commutes with those of this kind
  bool on_condition = false;             // not in each iteration
  std::vector<counted_loop> around;      // the loops inside that are around the place
  std::optional<address> where;          // nothing: not known before the loop
  const clang::VarDecl* root = nullptr;  // the variable that it is part of, or that leads to it
  std::int64_t bytes = 0;
  bool in_fixed_loops = false;  // the ranges of these loops are the same in all iterations
};

/// Accesses that lie at constant distances from each other, and are compared with others as one.
struct compared_access {
  std::size_t access = 0;  // the first of them in memory
  std::int64_t bytes = 0;  // from there to the end of the last
};

/// How a nest of three loops, whose innermost the lanes share, can keep what it stores in
/// registers: `c[i][j] += a[i][k] * b[k][j]` has a row for each `i`, to which each `k` adds a term.
struct row_tile {
  std::size_t stored = 0;                 // the access, the only one that stores
  std::size_t compared = 0;               // its number among those that are compared
  const clang::ForStmt* inner = nullptr;  // the loop between the nest and the lanes' own
  std::size_t rows = 0;                   // of the loops around the access, the one over rows
  std::size_t terms = 1;                  // and the one over terms
};

/// A variable to which a loop adds in whatever order.
struct reduction {
  const clang::VarDecl* variable = nullptr;
  std::string operation;  // `+`, `|`, `&`, `^`, `<` for a minimum or `>` for a maximum
};

/// A sum that an iteration may use, to which each iteration adds a term.
struct prefix_sum {
  const clang::VarDecl* variable = nullptr;
  std::vector<const clang::Stmt*> before;  // in the body, what the term may need
  const clang::Expr* term = nullptr;       // null: 1
  bool subtracts = false;
  bool passes_stores = false;  // it is read before what the iteration stores in front of it
};

/// What lanes need to run the iterations of a loop side by side, or why they cannot.
struct lane_loop {
  const clang::ForStmt* node = nullptr;
  /// The outermost of the loops around it that each lane runs itself, with its share of `node` in
  /// each iteration; null: there are none.
  const clang::ForStmt* nest = nullptr;
  /// Of the loops from there on, those whose ranges are known when it begins.
  std::vector<counted_loop> around;
  loop_form form;
  const clang::Expr* first = nullptr;  // value of its variable
  loop_variables variables;
  std::vector<access> accesses;
  std::vector<compared_access> compared;  // when it begins, by their numbers:
  std::set<std::pair<std::size_t, std::size_t>> apart;
  std::vector<const clang::VarDecl*> own;  // declared outside, and set first in each iteration
  std::vector<reduction> reductions;
  std::vector<prefix_sum> prefixes;
  std::optional<row_tile> tile;  // of a nest
  bool promised = false;         // by CHANNELS_INDEPENDENT
  bool near = false;             // neighbouring iterations store to neighbouring memory
  std::string why_not;           // empty: the lanes run it

  [[nodiscard]] bool is_lanes() const { return why_not.empty(); }
  /// Whether what it stores has to be apart from all that it reads, in an iteration, too.
  [[nodiscard]] bool reads_early() const {
    return std::ranges::any_of(prefixes, &prefix_sum::passes_stores);
  }
  /// Whether several wavefronts may each take a part of the iterations.
  [[nodiscard]] bool is_divisible() const {
    return is_lanes() && own.empty() && reductions.empty() && prefixes.empty();
  }
  /// Whether it has atomic changes that commute.
  [[nodiscard]] bool commutes() const {
    return std::ranges::any_of(accesses, [](const access& one) { return !one.commutes.empty(); });
  }
  /// What is written in place of the loop.
  [[nodiscard]] const clang::ForStmt* whole() const { return nest != nullptr ? nest : node; }
};

/// Where a loop stands.
struct loop_place {
  const program& source;
  call_effects& calls;
  const variable_usage& usage;  // of the function around it
  /// Whether each lane has a local variable for itself, as the function's others.
  std::function<bool(const clang::VarDecl*)> owns;
};

/// Looks at the loop `node`.
[[nodiscard]] lane_loop study(const loop_place& place, const clang::ForStmt* node);

/// Looks at `loop` with the loops around it up to `nest`, between which there is nothing but what
/// all lanes can run: whether each lane can take the same iterations of `loop` in all of the nest.
[[nodiscard]] lane_loop study_nest(const loop_place& place, const clang::ForStmt* nest,
                                   const lane_loop& loop);

/// Whether the program promises that the loop's iterations are independent.
[[nodiscard]] bool is_promised(const clang::SourceManager& sources, const clang::ForStmt* node);

/// Whether the loop has work for half of a wavefront's lanes at most, as is known here.
[[nodiscard]] bool has_few_trips(const program& source, const lane_loop& loop);

/// The loop's number of iterations, if it is a constant. `begin`: the value that it begins with;
/// null if that is not known.
[[nodiscard]] std::optional<std::uint64_t> constant_trips(const program& source,
                                                          const loop_form& form,
                                                          const clang::Expr* begin);

}  // namespace cilk2chan
