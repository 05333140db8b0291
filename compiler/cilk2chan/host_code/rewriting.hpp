#pragma once

#include "host_code/facts.hpp"
#include "host_code/replacements.hpp"
#include "tasks/task_plan.hpp"

#include <llvm/ADT/DenseSet.h>

#include <memory>

namespace cilk2chan::host_code {

/// How a C child is given away: by a function that stands before the one that spawns.
struct c_child {
  std::string name;                 // of that function
  std::vector<std::string> fields;  // declarations: the result, what is called, the arguments
  std::vector<std::string> names;   // of those
  std::string run;                  // what the child does
  std::string finish;               // what its parent does when it has ended, or nothing
  std::vector<const clang::Expr*>
      given;  // arguments, in order; the callee first if it is one of them
};

/// The names that what becomes of a loop uses beside the program's own.
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
  const task_plan* plan;  // null: there is host code only
  replacements text;
  bool lines;  // with `#line`
  loop_names own;
  /// What stands before a C function: a declaration of itself, and the functions that its spawns
  /// and loops became.
  std::map<const clang::FunctionDecl*, std::string> prototypes;
  std::map<const clang::FunctionDecl*, std::string> helpers;
  /// How many of those have names.
  std::map<const clang::FunctionDecl*, unsigned> numbers;
  /// Functions in two copies, of which one is the serial program, and the name of the other.
  std::map<const clang::FunctionDecl*, std::string> giving;
  /// Declarations of the reducers' views that the iterations of a loop have in common.
  std::map<const loop_site*, std::function<std::string()>> views;
  [[nodiscard]] std::string views_of(const loop_site& site) const {
    const auto found = views.find(&site);
    return found == views.end() ? std::string() : found->second();
  }
  /// The names of entries, by the functions whose entries they are.
  std::map<const clang::FunctionDecl*, std::string> entries;
  /// The calls that go through entries, by their offsets: what is called, and by whom.
  struct entered {
    const clang::FunctionDecl* callee;
    const clang::FunctionDecl* caller;
  };
  std::map<unsigned, entered> entered_at;
  /// The spawn whose call is being written for the child.
  const spawn_site* in_child = nullptr;

  /// Stands before text that no user wrote, in whose lines no breakpoint of his belongs.
  [[nodiscard]] std::string own_lines() const { return lines ? "#line 1 \"<cilk2chan>\"\n" : ""; }

  /// Makes what changes refer to until the text is written.
  template <class Rewriter>
  Rewriter& keep() {
    auto made = std::make_shared<Rewriter>(*this);
    Rewriter& result = *made;
    kept_.push_back(std::move(made));
    return result;
  }

  /// What `function` is called in the code of `caller`.
  [[nodiscard]] std::string name_of(const clang::FunctionDecl* function,
                                    const clang::FunctionDecl* caller) const {
    const auto found = entries.find(function->getCanonicalDecl());
    if (found == entries.end() || plan->tasks.contains(caller->getCanonicalDecl()))
      return function->getNameAsString();
    return found->second;
  }

  [[nodiscard]] std::string render(const clang::Stmt* node) {
    return text.render(source.range(node));
  }
  /// As one line; its parts have been found to fit on one.
  [[nodiscard]] std::string render_line(const clang::Stmt* node) {
    const std::string made = render(node);
    return one_line(source, made).value_or(made);
  }

 private:
  std::vector<std::shared_ptr<void>> kept_;
};

/// Refuses functions that cannot spawn (checks.cpp).
void check_functions(rewriting& out);

/// Chooses what is given away, and writes it down (spawns.cpp; spawns_c.cpp, spawns_cxx.cpp).
void rewrite_spawns(rewriting& out);
[[nodiscard]] std::optional<c_child> plan_c_child(rewriting& out, const spawn_site& site,
                                                  const char*& why_not);
/// Declares a C function before what stands before it. Whether it can be declared so.
[[nodiscard]] bool declare_itself(rewriting& out, const clang::FunctionDecl* function);
void write_c_child(rewriting& out, const spawn_site& site, const c_child& child);
[[nodiscard]] std::string give_c(rewriting& out, const spawn_site& site, const c_child& child);
[[nodiscard]] std::string child_call_cxx(rewriting& out, const spawn_site& site,
                                         const child_facts& facts);
[[nodiscard]] std::string give_cxx(rewriting& out, const spawn_site& site,
                                   const child_facts& facts);

/// Takes a declaration with spawns apart (declarations.cpp). Whether that can be done is asked
/// first.
[[nodiscard]] bool can_take_apart(rewriting& out, const spawn_site& site);
void rewrite_declaration(rewriting& out, const clang::DeclStmt* statement,
                         const std::vector<const spawn_site*>& given,
                         const std::function<std::string(const spawn_site&)>& spawn);

/// Frames and syncs (frames.cpp).
void rewrite_frames(rewriting& out);
/// The innermost frame at a place, or nothing.
[[nodiscard]] std::string frame_of(const region* where);

/// Loops (loops.cpp, loops_c.cpp, loops_cxx.cpp).
void rewrite_loops(rewriting& out);

/// Reducers (reducers.cpp).
void rewrite_reducers(rewriting& out);

/// Chooses functions to be written twice: one copy that looks for somebody hungry at each spawn,
/// and one that is the serial program (copies.cpp). After the spawns.
void rewrite_copies(rewriting& out);

/// Puts what a C function needs before it (functions.cpp). After all else.
void rewrite_functions(rewriting& out);

/// A type as it can be written before `function`, declaring `name`, or nothing.
[[nodiscard]] std::optional<std::string> outer_type(const parsed_file& source, clang::QualType type,
                                                    const std::string& name,
                                                    const clang::FunctionDecl* function);

/// Where a statement ends, with the semicolon that belongs to it.
[[nodiscard]] unsigned end_of_statement(parsed_file& source, const clang::Stmt* statement);

/// The offsets of the tokens of one kind between two places.
[[nodiscard]] std::vector<unsigned> find_tokens(const parsed_file& source, text_range range,
                                                llvm::StringRef spelling);

/// What became of each function that spawns or runs loops, as host code (explain_host.cpp). After
/// all else.
[[nodiscard]] std::string explain_host(const rewriting& out);

/// The rewritten file. Worth nothing if something was refused, or is hidden in macros.
[[nodiscard]] std::string rewrite(parsed_file& source, const task_plan* plan, bool lines,
                                  std::string& explanation);

}  // namespace cilk2chan::host_code
