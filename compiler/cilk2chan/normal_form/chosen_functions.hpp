#pragma once

#include "normal_form/call_edges.hpp"
#include "tasks/task_plan.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>

#include <set>
#include <string>
#include <utility>

namespace cilk2chan {

/// A function of the program without template parameters, or an instance of one that has some.
struct instance {
  const clang::FunctionDecl* definition = nullptr;
  bool spawns = false;  // or has a parallel loop
};

/// Which functions of a file get a plain form: those that spawn and are no tasks as they stand, and
/// what stands between them and other functions that spawn.
class chosen_functions {
 public:
  /// `shares_loops`: functions with loops that lanes can share (shared_loops.hpp) are among them.
  /// `kept`: tasks that stay what they are, because their plain forms do not do.
  chosen_functions(parsed_file& source, const task_plan& plan, reference_finder& references,
                   bool shares_loops, const named_functions& kept);

  /// By canonical declaration. Empty if no function has anything to gain.
  llvm::MapVector<const clang::FunctionDecl*, instance> found;
  call_edges edges;
  bool has_reducers = false;  // some function uses them
  /// Functions that get a plain form for their arrays of variable length or complex numbers alone,
  /// or because they are C that is not C++, or for what they call: no task comes out of them.
  llvm::DenseSet<const clang::FunctionDecl*> leaves;
  /// Functions that stay on the host, and of which regions are cut out (host_parts.hpp).
  llvm::DenseSet<const clang::FunctionDecl*> on_host;

  [[nodiscard]] bool contains(const clang::FunctionDecl* function) const {
    return is_left(function) && reaching_.contains(function) && below_.contains(function) &&
           !on_host.contains(function);
  }
  /// Whether a function has no task as it stands.
  [[nodiscard]] bool is_left(const clang::FunctionDecl* function) const {
    return all_ || !plan_.tasks.contains(as_written(function)) || back_.contains(function) ||
           on_host.contains(function);
  }
  /// Whether it would have a task, were there no call through a pointer of something that spawns:
  /// such a call is a task's only in a plain form, and the pointer leads to what host code knows as
  /// the function, and not to a task's entry. So, too, if it has pointers to arrays of variable
  /// length or, for devices, calculates with complex numbers, or calls what does.
  [[nodiscard]] bool is_taken_back(const clang::FunctionDecl* function) const {
    return back_.contains(function) && plan_.tasks.contains(function) &&
           !on_host.contains(function);
  }
  /// Finds what host code enters, once hidden types have names.
  void find_entered(const parsed_file& source);
  /// Whether host code enters the function's plain form: it spawns, or it calls an instance of a
  /// template that host code cannot tell from others, such as one that gets a lambda of a template.
  [[nodiscard]] bool is_entered(const clang::FunctionDecl* function) const {
    const auto known = found.find(function);
    return entered_.contains(function) || (known != found.end() && known->second.spawns);
  }
  /// What a call through a pointer may call that becomes, or leads to, a task.
  [[nodiscard]] call_targets::function_list targets_of(const clang::CallExpr* call);

 private:
  using function_set = llvm::DenseSet<const clang::FunctionDecl*>;

  [[nodiscard]] bool has_more_to_say();
  /// Whether only a plain form has words for what the function does: with pointers to arrays of
  /// variable length, and for devices with complex numbers of C.
  [[nodiscard]] bool needs_words(const clang::FunctionDecl* function);
  void find_old_c(parsed_file& source);
  void find_reaching();
  void add_callers();
  void take_back(parsed_file& source, const named_functions& kept);
  /// Adds what the functions of the set reach, also by calls that do not name it.
  void add_reached(function_set& from);

  const task_plan& plan_;
  reference_finder& references_;
  bool all_ = false;
  bool shares_loops_ = false;
  bool calculates_ = false;  // with complex numbers, for devices
  function_set differs_;     // in C, and spawn nothing: C++ refuses them, or takes them otherwise
  function_set reaching_;
  function_set entered_;  // that spawn nothing themselves
  function_set below_;    // reached from functions that are left
  function_set back_;     // with functions on the way that are no tasks
  function_set fixed_;    // tasks that stay what they are, and what they call
};

}  // namespace cilk2chan
