#pragma once

#include "analysis/escapes.hpp"
#include "analysis/references.hpp"

#include <map>
#include <string>
#include <vector>

namespace cilk2chan {

/// Which of the host's variables tasks on a device have a copy of in the device's memory, while
/// they run. A variable has one if nobody can notice: nothing but its name leads to it, in all of
/// the program.
class variable_copies {
 public:
  /// `reached`: the functions that run on the device. `whole_program`: there is no other file.
  variable_copies(const program& source, reference_finder& finder,
                  const std::vector<const clang::FunctionDecl*>& reached, bool whole_program);

  /// Chooses among all variables that the device's code uses.
  void choose(const std::vector<const clang::VarDecl*>& variables);
  [[nodiscard]] bool has(const clang::VarDecl* variable) const;
  /// Whether tasks may change it.
  [[nodiscard]] bool is_changed(const clang::VarDecl* variable) const;
  /// What became of each: a line for `--explain`.
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  [[nodiscard]] std::string obstacle_to(const clang::VarDecl* variable,
                                        const variable_uses& uses) const;
  [[nodiscard]] bool may_run_there(const clang::FunctionDecl* function) const;
  void find_host_code(reference_finder& finder);

  const program& source_;
  escape_analysis escapes_;
  llvm::DenseSet<const clang::FunctionDecl*> reached_;
  llvm::DenseSet<const clang::FunctionDecl*> on_host_;  // what host code calls that is no task
  bool whole_program_;
  std::map<const clang::VarDecl*, bool> chosen_;  // and whether tasks may change it
  std::string explanation_;
};

}  // namespace cilk2chan
