#pragma once

#include "normal_form/plain_reducers.hpp"

namespace cilk2chan {

/// Writes expressions that are statements: assignments of what a child returns, and
/// `x += cilk_spawn f()` as an addition behind the sync.
class plain_effects : public plain_reducers {
 protected:
  using plain_reducers::plain_reducers;
  ~plain_effects() = default;

  void expression(const clang::Expr* whole) override;

  int loops_ = 0;  // around

 private:
  void assign(const clang::BinaryOperator* whole);
  /// In a loop, where the number of results is not known, a task of its own adds to an integer: it
  /// does not matter in which order.
  void add_later(const clang::CompoundAssignOperator* sum);
  bool can_add_atomically(const clang::CompoundAssignOperator* sum) const;
  /// `text`: of the call, whose arguments become parameters.
  void add_in_task(const clang::CompoundAssignOperator* sum, const std::string& text,
                   clang::QualType from);
};

}  // namespace cilk2chan
