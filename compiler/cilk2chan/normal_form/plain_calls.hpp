#pragma once

#include "normal_form/plain_writer.hpp"

namespace cilk2chan {

/// Writes calls that a plain function has in statements of their own: spawned ones, and those of
/// functions with a plain form or a task, wherever they stand in an expression.
class plain_calls : public plain_writer {
 protected:
  using plain_writer::plain_writer;
  ~plain_calls() = default;

  /// Whether there is a spawn, a sync, a parallel loop, or such a call.
  bool has_cilk(const clang::Stmt* code) const;
  /// Whether there is a spawn.
  bool spawns(const clang::Stmt* code) const;
  /// Whether there is such a call, that has no name yet, or a statement expression.
  bool calls(const clang::Stmt* code) const;

  /// The call that `value` is, spawned or of a function with a plain form; null if it is none.
  const clang::CallExpr* call_in(const clang::Expr* value, bool* spawned = nullptr) const;
  bool is_child(const clang::Expr* value) const { return call_in(value) != nullptr; }

  void prepare_arguments(const clang::Expr* value);
  /// Makes variables of compound literals of C in `value`, which last as long as the block, and, if
  /// `temporaries` are wanted, of C++'s temporary objects. A child may point into them, `spawned`
  /// or not.
  void keep_places(const clang::Expr* value, bool temporaries, bool spawned);
  /// The text of a child, whose arguments are prepared.
  std::string child(const clang::Expr* value);
  /// Writes calls of functions with a plain form, and statement expressions, that are a part of
  /// `value` as statements before it, in the order of evaluation.
  void prepare(const clang::Expr* value);

  /// The text of a condition whose calls are statements before it. Its temporary objects have
  /// ended.
  std::string condition(const clang::Expr* value);

  /// The object `name` ends with the statement, or, if a child uses it, with the block.
  void hold(const std::string& name, bool spawned);

  /// The types of what a call passes: those of the parameters, of a function that is called by its
  /// name or through a pointer.
  [[nodiscard]] static std::vector<clang::QualType> types_passed(const clang::CallExpr* call);

  virtual void statement(const clang::Stmt* code) = 0;
  /// Writes an expression that is a statement.
  virtual void expression(const clang::Expr* whole) = 0;

  int branches_ = 0;  // without a block, around what is written

 private:
  /// Makes the object that an argument is, a call, the function's own. Returns false if it is none.
  bool pass_on(const clang::Expr* argument, clang::QualType type);
  /// A statement expression becomes a block before the statement, which sets a variable.
  void prepare_block(const clang::StmtExpr* block);
  /// Spawns what is no function with a plain form: an ordinary function as it is, everything else
  /// through a function of ours.
  std::string through_wrapper(const clang::CallExpr* call);
  std::string dispatch(const std::vector<virtual_target>& targets, const clang::CallExpr* call,
                       const std::string& passed);
  std::string dispatch(const call_targets::function_list& targets, const clang::CallExpr* call);
  /// Statements that return the result of a call, of type `from`, as a `result`: by a cast, or
  /// because the one becomes the other.
  std::string handed_on(const std::string& call, clang::QualType from, clang::QualType result,
                        bool is_cast = false);
  /// Whether the calls in the second operand may come before the first is evaluated.
  bool keeps_order(const clang::Expr* value) const;
  void set(const std::string& name, const clang::Expr* value);
};

}  // namespace cilk2chan
