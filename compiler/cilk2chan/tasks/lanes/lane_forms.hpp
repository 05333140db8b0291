#pragma once

#include "analysis/references.hpp"
#include "tasks/emission/emit.hpp"
#include "tasks/lanes/choice.hpp"
#include "tasks/lanes/inlined_calls.hpp"
#include "tasks/lanes/printing.hpp"
#include "tasks/lanes/together.hpp"

#include <functional>
#include <map>
#include <set>

namespace cilk2chan {

/// How a wavefront runs leaves of a task together.
struct task_lanes {
  std::string declarations;   // what has to stand before, outside of namespaces
  std::string functions;      // what the next two call, with marks
  std::string is_leaf;        // whether a call is such a leaf: an expression of `args`
  std::string leaf;           // statements that run it
  function_list called;       // whose forms they call; canonical
  bool side_by_side = false;  // a `cilk_for`: lanes have an iteration each
  bool divided = false;       // wavefronts may share a leaf; `leaf` calls with `cilk_division`
  bool short_loops = false;   // what lanes share has work for half of them at most
};

/// Which loops of a file's tasks, and of the functions that these call, are shared by the lanes of
/// a GPU's wavefront, and the functions that do it. For each function with such a loop there is
/// another one, its form for lanes, that all lanes call together.
class lane_forms {
 public:
  struct file {
    bool line_directives = true;
    /// Whether the file of the tasks has the text of a function, and another may stand beside it.
    std::function<bool(const clang::FunctionDecl*)> has_text;
  };

  lane_forms(const program& source, const std::vector<finished_task>& tasks,
             reference_finder& finder, file how);

  /// Stands where a function refers to variables of the file.
  static constexpr const char* mark = "/* variables */";

  /// The function's form for lanes, to stand behind its definition, with marks; empty if it has
  /// none.
  [[nodiscard]] std::string form_of(const clang::FunctionDecl* function) const;
  /// The functions whose code is in that form in the place of calls.
  [[nodiscard]] const function_list& inlined_in(const clang::FunctionDecl* function) const {
    return forms_.at(function->getCanonicalDecl()).body.inlined;
  }
  /// Null if lanes do not share the task's leaves.
  [[nodiscard]] const task_lanes* of(const task_function& task) const;
  /// Lines for `--explain`.
  [[nodiscard]] std::string explanation() const;

 private:
  struct form {
    const clang::FunctionDecl* definition = nullptr;
    inlined_body body;
    chosen_loops loops;
    variable_usage usage;
    std::string text;
    std::string why_not;
    std::string why_never;                    // the same, before its text is looked at
    std::set<const clang::ForStmt*> written;  // those of its loops that lanes share
    function_list called;                     // whose forms it calls
    const clang::Stmt* divided = nullptr;     // the part that wavefronts may share
    std::string divided_text;                 // the form in which they do, if it is used
  };
  using loop_set = std::set<const clang::ForStmt*>;

  [[nodiscard]] clang::Stmt* with_plain_loops(clang::Stmt* code) const;
  void find_candidates(reference_finder& finder);
  void find_forms(reference_finder& finder);
  void study(form& one);
  void write_form(form& one);
  [[nodiscard]] std::string text_of(const form& one, const clang::Stmt* divided,
                                    written_together& made);
  void find_leaves(const finished_task& task);
  void find_uses();
  [[nodiscard]] bool has_short_loops(const chosen_loops& loops, const loop_set& written) const;
  void find_division(form& one);
  void divide(const clang::FunctionDecl* function);
  [[nodiscard]] bool can_divide(const clang::FunctionDecl* function) const;
  void find_leaf(const finished_task& task);
  void find_base_case(const finished_task& task);
  void find_loop(const finished_task& task);
  void write_turns(const task_function& task, const name_rules& rules, const std::string& from,
                   const std::string& step, writer& out) const;
  [[nodiscard]] static bool shares_nearby(const chosen_loops& loops);
  [[nodiscard]] bool has_form(const clang::FunctionDecl* function) const;
  [[nodiscard]] std::string obstacle_in(const clang::FunctionDecl* function,
                                        const variable_usage& usage);
  /// `result`: the type, if it is not the function's.
  /// `more`: parameters besides the function's.
  [[nodiscard]] std::string declaration(const clang::FunctionDecl* function,
                                        const std::string& name, const std::string& result,
                                        const std::string& more = "") const;
  [[nodiscard]] std::string declaration_of_divided(const clang::FunctionDecl* function) const;
  [[nodiscard]] std::string declarations_of(const function_list& all) const;
  [[nodiscard]] std::string before(const clang::FunctionDecl* function,
                                   const std::string& declared) const;
  [[nodiscard]] std::string scope_of(const clang::FunctionDecl* function) const;
  [[nodiscard]] std::string said(const std::string& name, const chosen_loops& loops,
                                 const loop_set& written, const std::string& why_not,
                                 const clang::Stmt* divided = nullptr) const;
  [[nodiscard]] std::string said_of_loop(const finished_task& task, const chosen_loops& loops,
                                         const loop_set& written, const task_lanes& lanes,
                                         const std::string& why_not) const;

  const program& source_;
  const std::vector<finished_task>& tasks_;
  const clang::DeclContext* tasks_around_ = nullptr;  // the namespace of the tasks that spawn
  file file_;
  call_effects calls_;
  std::map<const clang::FunctionDecl*, form, declared_before>
      forms_;                // candidates, by canonical declaration
  function_list with_form_;  // those that have one
  function_list used_;       // whose forms leaves come to
  function_list inlined_;    // that these have in them
  std::map<const task_function*, task_lanes> leaves_;
  std::map<const clang::FunctionDecl*, std::string, declared_before> said_;
  std::map<const task_function*, std::string> said_of_loops_;
};

}  // namespace cilk2chan
