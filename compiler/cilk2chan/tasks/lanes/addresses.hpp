#pragma once

#include "frontend/loop_task.hpp"  // loop_form
#include "frontend/program.hpp"
#include "tasks/lanes/linear.hpp"

#include <map>
#include <optional>

namespace cilk2chan {

/// What is known of the variables of a loop whose iterations lanes might run.
struct loop_variables {
  const clang::VarDecl* counted = nullptr;           // the loop's own
  llvm::DenseSet<const clang::VarDecl*> changed;     // in the loop; the counted ones are
  llvm::DenseSet<const clang::VarDecl*> declared;    // in the loop's body
  llvm::DenseSet<const clang::VarDecl*> reassigned;  // of these, those that change later
};

/// A loop that counts, with the value at which it begins.
struct counted_loop {
  loop_form form;
  const clang::Expr* first = nullptr;
  bool on_condition = false;  // it is not come to in each iteration of the loop around it
};

/// The address of a place, in bytes.
struct address {
  std::string base;                         // of what the offset is added to
  const clang::VarDecl* object = nullptr;   // the base is this variable itself
  const clang::VarDecl* pointer = nullptr;  // the base is where this variable leads to
  linear offset;
  bool may_wrap = false;  // unsigned arithmetic of few bits is in it
};

/// Reads addresses in a loop. `around`: the loops in it that are around the place.
class address_reader {
 public:
  address_reader(const program& source, const loop_variables& loop,
                 const std::vector<counted_loop>& around)
      : source_(source), loop_(loop), around_(around) {}

  /// Nothing if it is no sum of products of the loops' variables with what does not change.
  [[nodiscard]] std::optional<address> of(const clang::Expr* place);
  /// The variable that the place is part of, or from whose value its address is made; null if the
  /// loop changes it, or if it is not known.
  [[nodiscard]] const clang::VarDecl* root_of_place(const clang::Expr* place);
  /// The same as `of` for the value of an integer.
  [[nodiscard]] std::optional<linear> integer(const clang::Expr* value);
  /// Whether an expression has the same value in all iterations.
  [[nodiscard]] bool is_fixed(const clang::Expr* value);
  /// The variables by which the loops around the place count.
  [[nodiscard]] std::vector<std::string> symbols() const;

 private:
  [[nodiscard]] std::optional<address> pointer(const clang::Expr* value);
  [[nodiscard]] std::optional<address> variable_pointer(const clang::VarDecl* variable);
  [[nodiscard]] std::optional<linear> variable_integer(const clang::VarDecl* variable);
  [[nodiscard]] std::optional<linear> operation(const clang::BinaryOperator* node);
  [[nodiscard]] bool is_counted(const clang::VarDecl* variable) const;
  [[nodiscard]] const clang::Expr* value_of(const clang::VarDecl* variable) const;
  [[nodiscard]] std::int64_t bytes_of(clang::QualType type) const;

  const program& source_;
  const loop_variables& loop_;
  const std::vector<counted_loop>& around_;
  bool may_wrap_ = false;
};

}  // namespace cilk2chan
