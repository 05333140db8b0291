#pragma once

#include "analysis/references.hpp"
#include "diagnostics/refusals.hpp"
#include "tasks/emission/emit.hpp"

#include <map>

namespace cilk2chan {

/// What becomes of a function of the program in the file of its tasks.
enum class placement {
  none,   // no task needs it
  copy,   // the file of the tasks has a copy
  share,  // the file of the tasks declares it; the definition stays in the host's file
  leave,  // its text stays in both files: templates, inline functions and the like
};

/// Which functions and variables of a file its tasks need, and where these functions go.
class function_placements {
 public:
  /// `for_devices`: no address of a function is one of a copy (tasks/device/calls.hpp).
  function_placements(const program& source, const std::vector<finished_task>& tasks,
                      reference_finder& finder, bool for_devices);

  /// Follows all calls and names from the tasks on. Refuses what tasks cannot use.
  void find();
  [[nodiscard]] placement of(const clang::FunctionDecl* function) const;
  /// Whether a task may come to call it. Others are wanted because text that stays names them.
  [[nodiscard]] bool is_called(const clang::FunctionDecl* function) const {
    return called_.contains(function->getCanonicalDecl());
  }
  /// Of each function that is wanted.
  [[nodiscard]] const llvm::MapVector<const clang::FunctionDecl*, placement>& all() const {
    return placements_;
  }
  /// Definitions of the main file with `placement::leave`, in its order.
  [[nodiscard]] std::vector<const clang::FunctionDecl*> left() const;
  [[nodiscard]] bool wants(const clang::FunctionDecl* function) const {
    return wanted_.contains(function->getCanonicalDecl());
  }
  [[nodiscard]] bool wants(const clang::VarDecl* variable) const {
    return variables_.contains(variable->getCanonicalDecl());
  }
  /// Whether the file of the tasks has a copy of a wanted variable.
  [[nodiscard]] bool is_copied(const clang::VarDecl* variable) const;
  /// Whether a constant number of C has one address, since the file asks for it.
  [[nodiscard]] bool has_address(const clang::VarDecl* variable) const {
    return addressed_constants_.contains(variable->getCanonicalDecl());
  }
  /// Why the definition of a function stays in the host's file.
  [[nodiscard]] const refusal& why_shared(const clang::FunctionDecl* definition) const;

 private:
  void place_waiting();
  void want(const clang::FunctionDecl* function, bool addressed);
  void follow_text(const clang::DeclContext* around);
  void follow(const references& found, const clang::FunctionDecl* from);
  [[nodiscard]] bool can_copy(const clang::FunctionDecl* definition);
  [[nodiscard]] bool is_copied_member(const clang::FunctionDecl* definition) const;
  [[nodiscard]] bool is_c_and_cxx(const clang::FunctionDecl* definition) const;
  [[nodiscard]] const refusal* obstacle_to(const clang::VarDecl* variable) const;
  [[nodiscard]] bool in_main_file(const clang::Decl* declaration) const;

  const program& source_;
  const std::vector<finished_task>& tasks_;
  reference_finder& finder_;
  bool for_devices_;
  llvm::DenseSet<const clang::FunctionDecl*> wanted_;
  llvm::DenseSet<const clang::FunctionDecl*> called_;
  bool only_text_ = false;  // what is looked at now is text that stays, and that no task calls
  llvm::DenseSet<const clang::FunctionDecl*> addressed_;
  llvm::DenseSet<const clang::VarDecl*> variables_;
  llvm::DenseSet<const clang::VarDecl*> addressed_constants_;
  llvm::MapVector<const clang::FunctionDecl*, placement> placements_;
  std::vector<const clang::FunctionDecl*> waiting_;
};

/// Whether a function's text has to stand in each file that uses it: a template, an inline
/// function, a member of a class.
[[nodiscard]] bool stays_in_text(const clang::FunctionDecl* definition);

}  // namespace cilk2chan
