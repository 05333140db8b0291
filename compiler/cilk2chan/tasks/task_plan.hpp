#pragma once

#include "analysis/references.hpp"
#include "frontend/keywords.hpp"
#include "frontend/survey.hpp"
#include "tasks/emission/emit.hpp"

#include <map>

namespace cilk2chan {

/// What the rest of the program calls in place of a function that has a task form: it chooses, when
/// the program runs, between the task and the host's code.
struct task_entry {
  const clang::FunctionDecl* function = nullptr;  // canonical
  std::string symbol;                             // of the function itself
  std::string entry;                              // symbol of the entry
  std::string host;                               // symbol by which the entry calls the function
  std::string form;  // symbol by which it calls the code for a device, without the device's name
  bool external = false;  // other files may call the function
};

/// A function or variable of the host's file that only the file itself knows, and tasks use.
struct shared_symbol {
  const clang::NamedDecl* declaration = nullptr;
  std::string symbol;  // its own
  std::string shared;  // the name that both files know it by
};

/// Which functions of a file get a task form beside their host code, and the file of their tasks.
struct task_plan {
  std::string text;         // empty: there are no tasks
  std::string device_text;  // the same for other devices than the host, if these are wanted
  std::vector<task_entry> entries;
  std::vector<shared_symbol> shared;
  llvm::DenseSet<const clang::FunctionDecl*> tasks;  // canonical; not the leaves
  /// Functions that spawn or run loops in parallel and stay on the host, and why: one line for
  /// each.
  std::vector<std::string> stay;
  std::string explanation;  // of the tasks: what `--explain` prints
  std::string graph;        // of the tasks, in DOT

  [[nodiscard]] bool is_entered(const clang::FunctionDecl* function) const {
    for (const task_entry& one : entries) {
      if (one.function == function->getCanonicalDecl()) return true;
    }
    return false;
  }
};

/// What the planner has to know about a file besides its tree.
struct planned_file {
  std::string name;                         // as the user named it
  std::string id;                           // of this file among all of a program
  std::vector<std::string> system_headers;  // as they are included, in order
  std::vector<std::string> forced_headers;  // that the command line includes
  bool line_directives = true;
  std::vector<std::string> devices;  // besides the host: tasks have to be able to run on all
  bool whole_program = false;        // no other file has its names
};

/// Finds the functions that can be tasks, with all that they call, and writes them. What stands in
/// the way is told and not reported: the program is fine without.
[[nodiscard]] task_plan plan_tasks(clang::ASTContext& context,
                                   const std::vector<keyword_use>& keywords,
                                   const planned_file& file);

}  // namespace cilk2chan
