#pragma once

#include "frontend/source_file.hpp"
#include "tasks/task_plan.hpp"

#include <optional>
#include <string>

namespace cilk2chan::host_code {

/// The result of translating a Cilk source file.
struct translation {
  std::string text;         // the host's file
  std::string core;         // with the plain forms of its functions, which tasks are made of
  task_plan plan;           // its tasks
  std::string explanation;  // for --explain: host code and tasks
};

struct translate_options {
  bool lines = true;                 // write `#line` directives
  bool races = false;                // for --races: each spawn gives its child
  bool net = false;                  // for --net: children may travel to other ranks
  bool tasks = true;                 // write task forms of the functions that can have one
  std::vector<std::string> devices;  // devices besides the host that tasks are for
  bool chooses_device = false;       // each call, if the environment of the program says nothing
  std::string id;                    // names the file in its program
  bool whole_program = false;        // the file is the whole program
  std::vector<std::string> forced_headers;
  std::string macros;                  // the lines that define what options define
  bool all_reasons = false;            // find all that keeps functions on the host
  std::vector<compiler_error> errors;  // in the tasks, as they were written before
};

/// Translates Cilk to C or C++ that runs on the host; a file without Cilk does not change. Returns
/// nothing after an error, which it has reported.
[[nodiscard]] std::optional<translation> translate(const source_file& file,
                                                   const translate_options& options);

}  // namespace cilk2chan::host_code
