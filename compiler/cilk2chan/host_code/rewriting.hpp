#pragma once

#include "host_code/reach/reach.hpp"
#include "host_code/replacements.hpp"
#include "host_code/spawns/cxx_children.hpp"
#include "tasks/task_plan.hpp"

#include <llvm/ADT/DenseSet.h>

#include <memory>

namespace cilk2chan::host_code {

/// How a C child is given away: by a function that stands before the function that spawns it.
struct c_child {
  std::string name;                 // of the function that gives the child away
  std::vector<std::string> fields;  // declarations: the result, the callee, the arguments
  std::vector<std::string> names;   // names of the fields
  std::string run;                  // the statement that the child runs
  std::string finish;               // the statement that its parent runs at the join, or empty
  std::vector<const clang::Expr*> given;  // the callee if it is a field, then the arguments
};

/// The names that the code of a loop uses beside the program's own names.
struct loop_names {
  explicit loop_names(parsed_file& source)
      : begin(source.unused_name("cilk_begin")),
        end(source.unused_name("cilk_end")),
        first(source.unused_name("cilk_first")),
        limit(source.unused_name("cilk_limit")),
        loop(source.unused_name("cilk_loop")),
        step(source.unused_name("cilk_step")),
        trips(source.unused_name("cilk_trips")),
        closure(source.unused_name("closure")) {}

  std::string begin, end, first, limit, loop, step, trips, closure;
};

/// A file on its way from Cilk to C or C++.
struct rewriting {
  rewriting(parsed_file& source, place_list& places, const task_plan* plan, bool lines)
      : source(source),
        places(places),
        plan(plan),
        text(source.text()),
        lines(lines),
        own(source) {}

  parsed_file& source;
  place_list& places;
  const task_plan* plan;  // null: the file has host code only
  replacements text;
  bool lines;          // the output has `#line` directives
  bool races = false;  // the program looks for its races: children stand at their spawn's line
  /// With --net: how far tasks reach. Null otherwise.
  std::unique_ptr<reach_finder> reach;
  /// With --net: why children that can be given away stay at their rank. Those that are not here
  /// may travel.
  std::map<const spawn_site*, reach_obstacle> stays;
  [[nodiscard]] bool travels(const spawn_site& site) const {
    return reach != nullptr && !stays.contains(&site);
  }
  loop_names own;
  /// Text that stands before a C function: a declaration of the function itself, and the functions
  /// that its spawns and loops became.
  std::map<const clang::FunctionDecl*, std::string> prototypes;
  std::map<const clang::FunctionDecl*, std::string> outlined;
  /// Number of functions that a function's spawns and loops became, for their names.
  std::map<const clang::FunctionDecl*, unsigned> outlined_count;
  /// Functions that are written twice, and the name of the version that gives children away. The
  /// other version is the serial program.
  std::map<const clang::FunctionDecl*, std::string> giving_versions;
  /// Declarations of the views that all iterations of a loop use.
  std::map<const loop_site*, std::function<std::string()>> views;
  [[nodiscard]] std::string views_of(const loop_site& site) const {
    const auto found = views.find(&site);
    return found == views.end() ? std::string() : found->second();
  }
  /// The names of entries, by the functions whose entries they are.
  std::map<const clang::FunctionDecl*, std::string> entries;
  /// The calls that go through entries, by their offsets.
  struct entry_call {
    const clang::FunctionDecl* callee;
    const clang::FunctionDecl* caller;
  };
  std::map<unsigned, entry_call> calls_through_entries;
  /// The spawn whose call is being written for the child.
  const spawn_site* in_child = nullptr;

  /// Stands before text that the user did not write, so that a debugger sets no breakpoint of the
  /// user's file in it.
  [[nodiscard]] std::string own_lines() const { return lines ? "#line 1 \"<cilk2chan>\"\n" : ""; }

  /// Makes a `Rewriter` that lives as long as this object, because replacements refer to it until
  /// the text is written.
  template <class Rewriter>
  Rewriter& keep() {
    auto made = std::make_shared<Rewriter>(*this);
    Rewriter& result = *made;
    kept_.push_back(std::move(made));
    return result;
  }

  /// The name by which the code of `caller` calls `function`.
  [[nodiscard]] std::string name_of(const clang::FunctionDecl* function,
                                    const clang::FunctionDecl* caller) const {
    const auto found = entries.find(function->getCanonicalDecl());
    if (found == entries.end() || plan->tasks.contains(caller->getCanonicalDecl()))
      return function->getNameAsString();
    return found->second;
  }

  /// The text of a node, with all replacements in it.
  [[nodiscard]] std::string render(const clang::Stmt* node) {
    return text.render(source.range(node));
  }
  /// The same on one line. The caller has checked that its parts fit on one line.
  [[nodiscard]] std::string render_line(const clang::Stmt* node) {
    const std::string made = render(node);
    return one_line(source, made).value_or(made);
  }

 private:
  std::vector<std::shared_ptr<void>> kept_;
};

/// Refuses functions that cannot spawn (functions/checks.cpp).
void check_functions(rewriting& out);

/// Chooses which children are given away, and rewrites all spawns (spawns/spawns.cpp).
void rewrite_spawns(rewriting& out);

/// A child in C (spawns/c_children.cpp). Plans how it is given away; nothing, and `why_not`, if it
/// has to be a plain call.
[[nodiscard]] std::optional<c_child> plan_c_child(rewriting& out, const spawn_site& site,
                                                  const char*& why_not);
/// Writes the record and the functions of a child before the function that spawns it.
void write_c_child(rewriting& out, const spawn_site& site, const c_child& child);
/// The call that gives a child away.
[[nodiscard]] std::string give_c(rewriting& out, const spawn_site& site, const c_child& child);
/// Declares a C function before the functions that its spawns and loops became. Returns whether it
/// can be declared there.
[[nodiscard]] bool declare_itself(rewriting& out, const clang::FunctionDecl* function);

/// A child in C++ (spawns/cxx_closures.cpp): the call as the child makes it, and the call that
/// gives the child away.
[[nodiscard]] std::string child_call_cxx(rewriting& out, const spawn_site& site,
                                         const cxx_child& child);
[[nodiscard]] std::string give_cxx(rewriting& out, const spawn_site& site, const cxx_child& child);

/// Returns whether the declaration of a spawn's variable can be split into a declaration and an
/// assignment (spawns/declarations.cpp). Ask it before `rewrite_declaration`.
[[nodiscard]] bool can_take_apart(rewriting& out, const spawn_site& site);
/// Splits a declaration with spawns. `spawn` writes the assignment of one variable.
void rewrite_declaration(rewriting& out, const clang::DeclStmt* statement,
                         const std::vector<const spawn_site*>& given,
                         const std::function<std::string(const spawn_site&)>& spawn);

/// Writes frames and syncs (functions/frames.cpp).
void rewrite_frames(rewriting& out);
/// The name of the innermost frame at a place, or an empty string.
[[nodiscard]] std::string frame_of(const region* where);

/// Rewrites `cilk_for` loops (loops/loops.cpp).
void rewrite_loops(rewriting& out);

/// Rewrites the uses of reducers (reducers/reducers.cpp).
void rewrite_reducers(rewriting& out);

/// Chooses the functions that are written twice: one version looks for hungry workers at each
/// spawn, the other is the serial program (functions/serial_versions.cpp). Comes after the spawns.
void write_serial_versions(rewriting& out);

/// Puts the functions and declarations that a C function needs before it
/// (functions/preceding_text.cpp). Comes after all other rewriting.
void write_preceding_text(rewriting& out);

/// A declaration of `name` with a type that has a name before `function`, or nothing if there is no
/// such type (functions/outer_types.cpp).
[[nodiscard]] std::optional<std::string> outer_type(const parsed_file& source, clang::QualType type,
                                                    const std::string& name,
                                                    const clang::FunctionDecl* function);

/// Where a statement ends, with the semicolon that belongs to it (functions/frames.cpp).
[[nodiscard]] unsigned end_of_statement(parsed_file& source, const clang::Stmt* statement);

/// For `--explain`: what each function that spawns or runs loops became as host code
/// (explain_host_code.cpp). Comes after all rewriting.
[[nodiscard]] std::string explain_host_code(const rewriting& out);

/// The rewritten file. Its value has no meaning if something was refused, or is hidden in macros.
[[nodiscard]] std::string rewrite(parsed_file& source, const task_plan* plan, bool lines,
                                  bool races, bool net, std::string& explanation);

}  // namespace cilk2chan::host_code
