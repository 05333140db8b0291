#pragma once

#include "analysis/references.hpp"
#include "diagnostics/refusals.hpp"
#include "tasks/emission/emit.hpp"

#include <map>

namespace cilk2chan {

/// What becomes of a function of the program in the file of its tasks.
enum class placement {
  none,   // nobody there wants it
  copy,   // it is there too
  share,  // it is declared there, and stays in the host's file
  leave,  // it stands there as it is: templates, inline functions and the like
};

/// What the tasks of a file want of the rest of it.
class function_placements {
 public:
  function_placements(const program& source, const std::vector<finished_task>& tasks,
                      reference_finder& finder);

  /// Follows everything from the tasks on. Refuses what they cannot have.
  void find();
  [[nodiscard]] placement of(const clang::FunctionDecl* function) const;
  /// Definitions in the main file that stay as they are and that tasks may call; in its order.
  [[nodiscard]] std::vector<const clang::FunctionDecl*> left() const;
  [[nodiscard]] bool wants(const clang::FunctionDecl* function) const {
    return wanted_.contains(function->getCanonicalDecl());
  }
  [[nodiscard]] bool wants(const clang::VarDecl* variable) const {
    return variables_.contains(variable->getCanonicalDecl());
  }
  /// Whether a wanted variable is there once more.
  [[nodiscard]] bool is_copied(const clang::VarDecl* variable) const;

 private:
  void want(const clang::FunctionDecl* function, bool addressed);
  void follow_text(const clang::DeclContext* around);
  void follow(const references& found, const clang::FunctionDecl* from);
  [[nodiscard]] bool can_copy(const clang::FunctionDecl* definition);
  [[nodiscard]] bool is_c_and_cxx(const clang::FunctionDecl* definition);
  [[nodiscard]] const refusal* obstacle_to(const clang::VarDecl* variable) const;
  [[nodiscard]] bool in_main_file(const clang::Decl* declaration) const;

  const program& source_;
  const std::vector<finished_task>& tasks_;
  reference_finder& finder_;
  llvm::DenseSet<const clang::FunctionDecl*> wanted_;
  llvm::DenseSet<const clang::FunctionDecl*> addressed_;
  llvm::DenseSet<const clang::VarDecl*> variables_;
  std::map<const clang::FunctionDecl*, placement> placements_;
  std::vector<const clang::FunctionDecl*> waiting_;
};

/// Whether a function stands in the text as it has to be compiled wherever it is used: a template,
/// an inline function, a member of a class.
[[nodiscard]] bool stays_in_text(const clang::FunctionDecl* definition);

}  // namespace cilk2chan
