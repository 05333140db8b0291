#pragma once

#include "analysis/references.hpp"
#include "tasks/emission/emit.hpp"

#include <string>
#include <vector>

namespace cilk2chan {

/// Calls on a device of functions that are only known when the program runs. A pointer to a
/// function is the host's address of it, in all memory, also where a task has named the function.
/// So the unit has the host's addresses, and for each type of function that is called a function
/// that compares the pointer with them and calls the device's (indirect_calls.hpp of
/// channels/gpu/compiled_program).
class device_calls {
 public:
  /// Says in `source` how the calls and names that the tasks reach are spelled. `finder`: for
  /// devices. What cannot be spelled keeps its text.
  device_calls(program& source, const std::vector<finished_task>& tasks, reference_finder& finder,
               const call_targets& targets);

  /// The functions whose addresses the unit has, by their numbers.
  [[nodiscard]] const std::vector<const clang::FunctionDecl*>& addresses() const {
    return addresses_;
  }
  /// Declares the host's addresses, in front of the unit's text. `symbol`: by which the unit finds
  /// one of the functions.
  [[nodiscard]] std::string declarations(
      llvm::function_ref<std::string(const clang::FunctionDecl*)> symbol) const;
  /// Writes the statement that tells the device of them.
  void write_binding(writer& out) const;
  /// The functions that find what a pointer leads to: the end of the unit's text.
  [[nodiscard]] std::string definitions() const;
  /// Which functions are called so, and which are not: lines for `--explain`.
  [[nodiscard]] std::string explanation() const {
    return called_.empty() ? std::string() : targets_.explanation();
  }
  /// Whether a call may lead to no function of the device.
  [[nodiscard]] bool calls_pointers() const { return !called_.empty(); }

 private:
  using type = call_targets::type;

  void spell(const references& found, const clang::FunctionDecl* function);
  void call(const clang::Expr* pointer, type called);
  void name(const clang::DeclRefExpr* name);
  [[nodiscard]] bool can_change(const clang::Expr* one) const;
  [[nodiscard]] unsigned number_of(const clang::FunctionDecl* function);
  [[nodiscard]] std::string case_of(const clang::FunctionDecl* target, type called) const;

  program& source_;
  const call_targets& targets_;
  std::vector<const clang::FunctionDecl*> addresses_;
  llvm::SetVector<type> called_;
};

/// The name by which text at the end of the file finds a function.
[[nodiscard]] std::string full_name(const program& source, const clang::NamedDecl* declaration);

}  // namespace cilk2chan
