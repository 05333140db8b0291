#pragma once

#include <clang/Frontend/FrontendAction.h>
#include <llvm/ADT/StringRef.h>

#include <memory>
#include <string>
#include <vector>

namespace cilk2chan::host_code {

/// One source file of the program, on its way to the host compiler.
struct source_file {
  std::string name;  // as the user wrote it
  bool is_c = false;
  std::string text;                  // of the file, perhaps rewritten
  std::vector<std::string> command;  // Clang's options for it
};

/// Runs `action` over the text of `file`, as if it stood in the file of that name. Returns whether
/// Clang found no error; appends Clang's messages to `messages`.
[[nodiscard]] bool run_frontend(const source_file& file,
                                std::unique_ptr<clang::FrontendAction> action,
                                const std::vector<std::string>& more_options,
                                std::string& messages);

}  // namespace cilk2chan::host_code
