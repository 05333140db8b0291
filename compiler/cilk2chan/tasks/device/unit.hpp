#pragma once

#include "tasks/device/calls.hpp"
#include "tasks/device/copied_variables.hpp"
#include "tasks/emission/emit.hpp"
#include "tasks/function_placements.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// What the file of tasks for devices has and the one for the host does not. No linker resolves the
/// host's symbols for a device. So the host tells the device's code the address of each variable of
/// the program, or of its copy (copied_variables.hpp). Every function that uses such a variable
/// begins with a reference that has the variable's name.
class device_unit {
 public:
  /// `calls`: null while it is only checked. `whole_program`: there is no other file.
  device_unit(const program& source, const std::vector<finished_task>& tasks,
              reference_finder& finder, const function_placements& found, const device_calls* calls,
              bool whole_program);

  /// Refuses functions that tasks call and only the host's file can define.
  void check() const;
  /// Whether the device finds a variable by its address.
  [[nodiscard]] bool by_address(const clang::VarDecl* variable) const;
  /// Whether the device has the variable itself, in its own memory.
  [[nodiscard]] bool is_table(const clang::VarDecl* variable) const;
  /// The declaration of the place of a variable's address, which follows the variable; empty after
  /// the first call.
  [[nodiscard]] std::string declare_address(const clang::VarDecl* variable);
  /// The same for the variables of headers, whose text does not change, and declarations of their
  /// functions for the device; empty after the first call.
  [[nodiscard]] std::string declare_headers();
  /// Whether tasks allocate memory.
  [[nodiscard]] bool uses_malloc() const;
  /// Headers of functions that tasks call, which no other unit includes.
  [[nodiscard]] std::string library_headers() const;
  /// Whether tasks write to stdout or stderr by name.
  [[nodiscard]] bool writes() const;
  /// Whether tasks end the program by `exit` or its like.
  [[nodiscard]] bool ends_program() const;
  /// The references with which a function begins.
  /// `inlined`: functions whose code is in this one.
  [[nodiscard]] std::string references_in(const clang::FunctionDecl* function,
                                          const function_list& inlined = {}) const;
  /// The references with which a lambda begins: it does not capture those around it.
  [[nodiscard]] std::string references_in(const clang::LambdaExpr* lambda) const;
  /// Writes the function that binds all addresses, and the unit's object.
  void write_unit(writer& out);
  /// Which variables have copies: lines for `--explain`.
  [[nodiscard]] std::string explanation() const {
    return copies_ ? copies_->explanation() : std::string();
  }

  /// Whether the host may take steps of a task for a GPU: its own code uses nothing that the host
  /// has in another way, such as the heap of tasks, atomic operations and tables of the device.
  [[nodiscard]] bool host_may_take_steps(const finished_task& task) const;

  /// Whether tasks call one of these functions.
  [[nodiscard]] bool calls(std::initializer_list<llvm::StringLiteral> names) const;
  [[nodiscard]] bool allocates_objects() const;
  [[nodiscard]] bool has_containers() const;

 private:
  [[nodiscard]] bool calls_any(llvm::ArrayRef<llvm::StringLiteral> names) const;
  [[nodiscard]] std::string references_to(const named_variables& variables) const;
  [[nodiscard]] std::string place_of_address(const clang::VarDecl* variable, unsigned number) const;
  [[nodiscard]] bool in_header(const clang::Decl* declaration) const;
  [[nodiscard]] bool has_recursion() const;
  [[nodiscard]] bool runs_alike_on_host(const clang::FunctionDecl* function) const;
  [[nodiscard]] bool is_container_made(const clang::FunctionDecl* function) const;
  /// Whether tasks may tell each other addresses of tables, which each GPU has elsewhere.
  [[nodiscard]] bool has_own_addresses() const;

  const program& source_;
  reference_finder& finder_;
  const function_placements& placements_;
  std::vector<const clang::FunctionDecl*> reached_;  // what tasks call, in the order of the file
  std::map<const clang::VarDecl*, unsigned> numbers_;
  std::vector<const clang::VarDecl*> bound_;
  const device_calls* calls_;
  bool headers_declared_ = false;
  bool whole_program_;
  std::optional<copied_variables> copies_;  // once the whole unit is known
};

}  // namespace cilk2chan
