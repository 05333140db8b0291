#pragma once

#include "frontend/program.hpp"

#include <llvm/ADT/SetVector.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace cilk2chan {

/// What a function does to memory that its caller can see.
enum class call_effect {
  none,   // it computes its result from its arguments
  reads,  // it reads memory
  any,    // it may do anything
};

/// Whether the function is one by which the lanes of a hand-written group function tell each other
/// something (channels/group.h).
[[nodiscard]] bool is_for_groups(const clang::FunctionDecl* function);

/// Knows functions by what they do. Asks each definition once.
class call_effects {
 public:
  explicit call_effects(const program& source) : source_(source) {}
  [[nodiscard]] call_effect of(const clang::FunctionDecl* function);
  /// Takes the functions for which `is_fine` holds for functions that read.
  void allow(std::function<bool(const clang::FunctionDecl*)> is_fine) {
    is_fine_ = std::move(is_fine);
  }

 private:
  const program& source_;
  std::map<const clang::FunctionDecl*, call_effect> known_;
  std::function<bool(const clang::FunctionDecl*)> is_fine_;
  unsigned depth_ = 0;  // of the calls that are looked at
};

/// A change of memory that several lanes may make at once, in whatever order: a relaxed atomic
/// operation of which the code wants no value, as the changes of reducers are.
struct commuting_change {
  const clang::Expr* place = nullptr;
  std::string operation;  // those of the same one commute
};

/// The change that the node is, or nothing. It is a cast to `void`, or a call.
[[nodiscard]] std::optional<commuting_change> commuting_in(const clang::Stmt* node);

/// What a piece of code does.
struct code_effects {
  bool stores = false;    // to memory that is not the function's own variables
  bool loads = false;     // from such memory
  bool acts = false;      // calls what may do anything, or is assembly or the like
  bool leaves = false;    // a `return`, `break`, `continue` or `goto` leads out of it
  bool jumps = false;     // there is a label, or a jump to one
  bool has_loop = false;  // it may take long
  llvm::SetVector<const clang::VarDecl*> changed;  // own variables, declared outside of it
  llvm::DenseSet<const clang::VarDecl*> declared;  // in it

  /// Whether all lanes may run it instead of one.
  [[nodiscard]] bool can_all() const { return !stores && !acts; }
};

/// `owns`: whether each lane has the variable, a local one, for itself.
[[nodiscard]] code_effects effects_of(const clang::Stmt* code, call_effects& calls,
                                      const std::function<bool(const clang::VarDecl*)>& owns);

/// Whether a number stands in a constant of the program, which nothing may change.
[[nodiscard]] bool is_constant_place(const clang::Expr* place);

/// The place that the code reads with this cast or copy; null if it reads none.
[[nodiscard]] const clang::Expr* place_read(const clang::Stmt* node);

}  // namespace cilk2chan
