#pragma once

#include "frontend/source_file.hpp"
#include "tasks/task_plan.hpp"

#include <optional>
#include <string>

namespace cilk2chan::host_code {

/// What becomes of a Cilk source.
struct translation {
  std::string text;         // of the host's file
  task_plan plan;           // of its tasks
  std::string explanation;  // of both
};

struct translate_options {
  bool lines = true;                 // with `#line`
  bool tasks = true;                 // with a task form of what can have one
  std::vector<std::string> devices;  // besides the host, that tasks are for
  std::string id;                    // of the file in its program
  bool whole_program = false;        // the file is all of it
  std::vector<std::string> forced_headers;
};

/// Translates Cilk to C or C++ that runs on the host; a file without Cilk stays as it is. Nothing
/// if there was an error, which has been reported.
[[nodiscard]] std::optional<translation> translate(const source_file& file,
                                                   const translate_options& options);

}  // namespace cilk2chan::host_code
