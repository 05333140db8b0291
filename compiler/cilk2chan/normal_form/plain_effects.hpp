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

  /// Whether a number that a child returns becomes one of another type where it is stored.
  [[nodiscard]] bool is_converted(clang::QualType to, clang::QualType from) const;
  /// Spawns a function that calls what `spawn` spawns, and stores its result, `cilk_part`, where
  /// `cilk_place` leads: `place` is the address of something of type `to`.
  void store_in_task(const clang::Expr* spawn, clang::QualType to, const std::string& place,
                     const std::string& store);
  /// The same for an object in a `cilk_held`, which is moved there.
  void store_object(const clang::Expr* spawn, clang::QualType type, const std::string& place);

  int loops_ = 0;  // around

 private:
  void effect(const clang::Expr* whole);
  [[nodiscard]] bool is_place_too_early(const clang::Expr* place, const clang::Expr* value) const;
  bool assign_object(const clang::CXXOperatorCallExpr* whole);
  void assign(const clang::BinaryOperator* whole);
  /// Sets a bit-field behind the next sync: it has no address.
  void set_later(const clang::BinaryOperator* whole);
  /// In a loop, where the number of results is not known, a task of its own adds to an integer: it
  /// does not matter in which order.
  void add_later(const clang::CompoundAssignOperator* sum);
  bool can_add_atomically(const clang::CompoundAssignOperator* sum) const;
  void add_in_task(const clang::CompoundAssignOperator* sum);
};

}  // namespace cilk2chan
