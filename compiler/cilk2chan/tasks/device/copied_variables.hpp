#pragma once

#include "analysis/escapes.hpp"
#include "analysis/references.hpp"

#include <map>
#include <string>
#include <vector>

namespace cilk2chan {

/// Which of the host's variables have a copy in the device's memory while tasks run there. A
/// variable may have one if the program cannot notice it: in the whole program, only the variable's
/// name leads to it.
class copied_variables {
 public:
  /// `reached`: the functions that run on the device. `whole_program`: there is no other file.
  copied_variables(const program& source, reference_finder& finder,
                   const std::vector<const clang::FunctionDecl*>& reached, bool whole_program);

  /// Chooses among all variables that the device's code uses.
  void choose(const std::vector<const clang::VarDecl*>& variables);
  [[nodiscard]] bool has(const clang::VarDecl* variable) const;
  /// Whether tasks may change it.
  [[nodiscard]] bool is_changed(const clang::VarDecl* variable) const;
  /// A line for `--explain` for each variable: how it is copied, or why it is not.
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  [[nodiscard]] std::string obstacle_to(const clang::VarDecl* variable,
                                        const variable_uses& uses) const;
  [[nodiscard]] bool may_run_there(const clang::FunctionDecl* function) const;
  void find_host_code(reference_finder& finder);

  const program& source_;
  escape_analysis escapes_;
  llvm::DenseSet<const clang::FunctionDecl*> reached_;
  llvm::DenseSet<const clang::FunctionDecl*> on_host_;  // what host code may call, without tasks
  bool whole_program_;
  std::map<const clang::VarDecl*, bool> chosen_;  // and whether tasks may change it
  std::string explanation_;
};

}  // namespace cilk2chan
