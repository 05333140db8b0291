#pragma once

#include "analysis/references.hpp"
#include "tasks/emission/emit.hpp"

#include <algorithm>
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

  /// Whether the unit has addresses of the host.
  [[nodiscard]] bool has_addresses() const { return !addresses_.empty(); }
  /// Whether the unit names static members that are the host's.
  [[nodiscard]] bool names_members() const {
    return std::ranges::any_of(variables_, &clang::VarDecl::isStaticDataMember);
  }
  /// Declares the host's addresses, in front of the unit's text. `symbol`: by which the unit finds
  /// a function, or where the host has written the address of a class's table.
  [[nodiscard]] std::string declarations(
      llvm::function_ref<std::string(const clang::NamedDecl*)> symbol) const;
  /// Writes the statement that tells the device of them.
  void write_binding(writer& out) const;
  /// The functions that find what a pointer leads to: the end of the unit's text.
  [[nodiscard]] std::string definitions() const;
  /// Which functions are called so, and which are not: lines for `--explain`.
  [[nodiscard]] std::string explanation() const {
    return calls_unknown() ? targets_.explanation() : std::string();
  }
  /// Variables of the host that tasks do not find by a plain name, each by its place in the list:
  /// `cilk_variable_1` has the address of the second.
  [[nodiscard]] const llvm::SetVector<const clang::VarDecl*>& variables() const {
    return variables_;
  }
  /// Whether the unit has operations on std::atomic.
  [[nodiscard]] bool has_atomics() const { return has_atomics_; }
  /// Whether the unit looks into objects of std::shared_ptr.
  [[nodiscard]] bool has_shared() const { return has_shared_; }
  /// Whether a call may lead to no function of the device.
  [[nodiscard]] bool calls_unknown() const { return !called_.empty() || !methods_.empty(); }
  [[nodiscard]] bool calls_methods() const { return !methods_.empty(); }
  /// The virtual methods that have to be the device's, since one that overrides them, or that they
  /// override, is called there.
  [[nodiscard]] const llvm::SetVector<const clang::CXXMethodDecl*>& methods_of_device() const {
    return of_device_;
  }

 private:
  using type = call_targets::type;
  using function_set = llvm::DenseSet<const clang::FunctionDecl*>;

  // What the host tells of: a function, or where objects of a class lead to, by its table.
  struct host_address {
    const clang::NamedDecl* of = nullptr;
    std::uint64_t offset = 0;

    bool operator==(const host_address&) const = default;
  };

  void spell(const references& found, const clang::FunctionDecl* function);
  void note_way_back(const clang::FunctionDecl* target, reference_finder& finder,
                     const function_set& calling);
  void call_method(const clang::CallExpr* call);
  [[nodiscard]] std::string called_method(const clang::CXXMethodDecl* method);
  void call_atomic(const clang::CallExpr* call);
  void put_around(const clang::Expr* object, const std::string& before);
  void look_into_shared(const clang::CallExpr* call);
  void call(const clang::Expr* pointer, type called);
  void name(const clang::DeclRefExpr* name);
  void spell_variables(const std::vector<const clang::FunctionDecl*>& reached);
  [[nodiscard]] bool can_change(const clang::Expr* one) const;
  [[nodiscard]] unsigned number_of(const host_address& one);
  [[nodiscard]] std::string address(const host_address& one) const;
  [[nodiscard]] std::string case_of(const clang::FunctionDecl* target, type called) const;
  [[nodiscard]] std::string case_of(const virtual_target& target,
                                    const clang::CXXMethodDecl* called) const;
  [[nodiscard]] std::string class_name(const clang::CXXRecordDecl* record) const;

  program& source_;
  const call_targets& targets_;
  std::vector<host_address> addresses_;
  llvm::SetVector<type> called_;
  llvm::SetVector<const clang::CXXMethodDecl*> methods_;  // that calls name
  llvm::SetVector<const clang::CXXMethodDecl*> of_device_;
  llvm::SetVector<const clang::VarDecl*> variables_;
  bool has_atomics_ = false;
  bool has_shared_ = false;
  bool leads_on_ = false;  // what is called may call through a pointer, or virtually, itself
};

/// Whether a device's compiler knows the value of a variable, or has the variable itself.
[[nodiscard]] bool is_known_on_devices(const program& source, const clang::VarDecl* variable);

/// The name by which text at the end of the file finds a function.
[[nodiscard]] std::string full_name(const program& source, const clang::NamedDecl* declaration);

}  // namespace cilk2chan
