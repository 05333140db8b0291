#pragma once

#include "analysis/references.hpp"
#include "frontend/keywords.hpp"
#include "frontend/survey.hpp"
#include "tasks/emission/emit.hpp"
#include "tasks/explain.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cilk2chan {

/// The entry of a function that has a task form: other code calls it in place of the function. It
/// chooses between the task and host code when the program runs.
struct task_entry {
  const clang::FunctionDecl* function = nullptr;  // canonical
  std::string symbol;                             // of the function itself
  std::string entry;                              // symbol of the entry
  std::string host;                               // symbol by which the entry calls the host code
  std::string form;  // symbol by which it calls the task on a device, without the device's name
  bool external = false;  // other files may call the function
  bool of_host = true;    // host code may call it; on devices only such a function starts a run
};

/// A static function or variable of the host's file that tasks use, or the table of a class's
/// virtual functions: of that the host's file has the address.
struct shared_symbol {
  const clang::NamedDecl* declaration = nullptr;
  std::string symbol;  // its own
  std::string shared;  // the symbol by which both files name it
};

/// A function that spawns or has a `cilk_for`, and stays on the host.
struct staying_function {
  std::string name;
  /// With their places: what stands in the way in the functions that it calls, innermost first,
  /// and then in itself. At least one.
  std::vector<std::string> reasons;

  /// What is said of it: a line for each reason.
  [[nodiscard]] std::string line(const std::string& reason) const {
    return name + ": stays on the host, depth-first: " + reason;
  }
};

/// An error of a compiler in the tasks' file.
struct compiler_error {
  /// Where it stands, and then from where templates came there; by file and line.
  std::vector<std::pair<std::string, unsigned>> places;
  std::string how;   // what the compiler made of the file: "as C++", or for which device
  std::string text;  // the compiler's line
};

/// Which functions of a file get a task form beside their host code, and the file of their tasks.
struct task_plan {
  std::string text;         // empty: there are no tasks
  std::string device_text;  // the same for devices, if there are any besides the host
  std::vector<task_entry> entries;
  std::vector<shared_symbol> shared;
  llvm::DenseSet<const clang::FunctionDecl*> tasks;  // canonical; not the leaves
  std::vector<staying_function> stay;
  task_counts counts;
  /// What compilers refused (`planned_file::errors`), with the name of its function. It is left out
  /// of the tasks' file.
  std::vector<std::string> left_to_host;
  std::string explanation;  // of the tasks: what `--explain` prints
  std::string graph;        // of the tasks, in DOT
  bool plain = false;       // some of the tasks are plain forms: they may use private members

  [[nodiscard]] bool is_entered(const clang::FunctionDecl* function) const {
    for (const task_entry& one : entries) {
      if (one.function == function->getCanonicalDecl()) return true;
    }
    return false;
  }
};

/// Functions of a file, by their names and lines.
using named_functions = std::set<std::pair<std::string, unsigned>>;

/// Why a function has no plain form, or some region of it has none, with places.
struct refused_function {
  std::vector<std::string> reasons;
  bool is_all = false;    // nothing else keeps it on the host
  std::string otherwise;  // what is said where no other reason is known; has no place
};
using function_reasons = std::map<std::pair<std::string, unsigned>, refused_function>;

/// What plan_tasks has to know about a file besides its tree.
struct planned_file {
  std::string name;                         // as the user named it
  std::string id;                           // of this file among all of a program
  std::vector<std::string> system_headers;  // as they are included, in order
  std::vector<std::string> forced_headers;  // that the command line includes
  std::string macros;                       // that it defines, as lines
  bool line_directives = true;
  std::vector<std::string> devices;  // besides the host; a task can run on all of them
  bool chooses_device = false;       // each call, if the environment of the program says nothing
  bool whole_program = false;        // no other file can name what is in it
  bool all_reasons = false;  // find all that keeps functions on the host, and not just the first
  std::vector<compiler_error> errors;  // in files that were written before
  bool has_plain_forms = false;        // at the end of the text (normal_form)
  named_functions replaced;            // functions that have a plain form instead
  named_functions kept;      // tasks that have none, though they call through pointers what spawns
  function_reasons refused;  // by their plain forms
  /// First and last lines of regions that have a plain form instead.
  std::vector<std::pair<unsigned, unsigned>> cut;
};

/// Finds the functions that can be tasks with all that they call, and writes their file. Reports no
/// errors, since the program can do without tasks: `stay` lists what keeps functions on the host.
[[nodiscard]] task_plan plan_tasks(clang::ASTContext& context,
                                   const std::vector<keyword_use>& keywords,
                                   const planned_file& file);

}  // namespace cilk2chan
