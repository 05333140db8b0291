#pragma once

#include "tasks/device/variable_copies.hpp"
#include "tasks/emission/emit.hpp"
#include "tasks/function_placements.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// What the file of tasks for devices has that the one for the host does without. No linker brings
/// host and device together: the device's code finds a variable of the program by its address,
/// which the host tells it: the variable's own, or that of a copy (device_copies.hpp). Every
/// function that uses one begins with a reference of the variable's name.
class device_unit {
 public:
  /// `whole_program`: there is no other file.
  device_unit(const program& source, const std::vector<finished_task>& tasks,
              reference_finder& finder, const function_placements& found, bool whole_program);

  /// Refuses functions that tasks call and that only the host's file has.
  void check() const;
  /// Whether the device finds a variable by its address.
  [[nodiscard]] bool by_address(const clang::VarDecl* variable) const;
  /// Whether the device has the variable itself, in its own memory.
  [[nodiscard]] bool is_table(const clang::VarDecl* variable) const;
  /// Declares the place of a variable's address, behind the variable; once.
  [[nodiscard]] std::string declare_address(const clang::VarDecl* variable);
  /// The same for what headers declare, whose text cannot be changed, and their functions as such
  /// for the device; once.
  [[nodiscard]] std::string declare_headers();
  /// Whether tasks allocate memory.
  [[nodiscard]] bool uses_malloc() const;
  /// What a function begins with.
  [[nodiscard]] std::string references_in(const clang::FunctionDecl* function) const;
  /// And a lambda in it, which captures no variable of the program, whatever it captures.
  [[nodiscard]] std::string references_in(const clang::LambdaExpr* lambda) const;
  /// The function that binds all addresses, and the unit's object.
  void write_unit(writer& out);
  /// What became of the variables.
  [[nodiscard]] std::string explanation() const {
    return copies_ ? copies_->explanation() : std::string();
  }

 private:
  [[nodiscard]] std::string references_to(const named_variables& variables) const;
  [[nodiscard]] bool in_header(const clang::Decl* declaration) const;
  [[nodiscard]] bool calls(std::initializer_list<llvm::StringRef> names) const;
  [[nodiscard]] bool has_recursion() const;

  const program& source_;
  reference_finder& finder_;
  const function_placements& placements_;
  std::vector<const clang::FunctionDecl*> reached_;  // by tasks, in the order of the file
  std::map<const clang::VarDecl*, unsigned> numbers_;
  std::vector<const clang::VarDecl*> bound_;
  bool headers_declared_ = false;
  bool whole_program_;
  std::optional<variable_copies> copies_;  // known when all of the unit is
};

}  // namespace cilk2chan
