#pragma once

#include "tasks/frame.hpp"
#include "tasks/node_text.hpp"

#include <llvm/ADT/StringSet.h>

namespace cilk2chan {

/// Which part of a task a statement is emitted into; a variable's name depends on it.
enum class node_part { before_open, after_open, resume };

/// The names in one lowered function: its variables, wherever they are kept, and the names that
/// generated code adds.
class node_names {
 public:
  node_names(const program& source, const lowered_function& function, const frame_layout& frame,
             const variable_usage& usage);

  [[nodiscard]] std::string variable(const clang::VarDecl* variable, node_part part) const;
  /// The qualified name of a global that generated names hide; empty for other names.
  [[nodiscard]] std::string outer(const clang::DeclRefExpr* name) const;
  /// `frame` as seen from `part`, up to the member's name: `f->` or `f.`.
  [[nodiscard]] std::string frame_access(node_part part) const;
  /// The name of a parameter among the task's arguments.
  [[nodiscard]] static std::string argument(const clang::ParmVarDecl* parameter);
  /// The parameter's value in `enter`: `args.n`.
  [[nodiscard]] std::string argument_access(const clang::ParmVarDecl* parameter) const;
  /// Whether `enter` works on a copy of the parameter, because the function changes it.
  [[nodiscard]] bool has_copy(const clang::VarDecl* variable) const;

  std::string lane, frame, arguments, point;

  /// Whether `text`, which is not parsed, contains a name of one of the function's variables.
  [[nodiscard]] bool mentions_local(llvm::StringRef text) const;

  /// Variables that a loop computes before it starts.
  std::string loop_first, loop_limit, loop_step, loop_trips;

 private:
  [[nodiscard]] std::string outer_variable(const clang::VarDecl* variable, node_part part) const;
  [[nodiscard]] std::string local(const clang::VarDecl* variable) const;

  const program& source_;
  const frame_layout& layout_;
  const variable_usage& usage_;
  const task_function& task_;
  llvm::StringSet<> taken_;
  bool opens_first_;
};

}  // namespace cilk2chan
