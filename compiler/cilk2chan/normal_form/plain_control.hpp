#pragma once

#include "frontend/loop_task.hpp"  // loop_form
#include "normal_form/plain_jumps.hpp"

#include <clang/AST/StmtCXX.h>

namespace cilk2chan {

/// Writes branches and loops. Calls in their heads come before them, or into their bodies.
class plain_control : public plain_jumps {
 protected:
  using plain_jumps::plain_jumps;
  ~plain_control() = default;

  void branch(const clang::IfStmt* code);
  void loop(const clang::ForStmt* code);
  void loop(const clang::WhileStmt* code);
  void loop(const clang::DoStmt* code);
  void loop(const clang::CXXForRangeStmt* code);
  /// A `switch` around spawns becomes a row of branches.
  void choice(const clang::SwitchStmt* code);

  virtual void declare(const clang::VarDecl* variable) = 0;
  virtual void declarations(const clang::DeclStmt* code) = 0;
  /// A block that is spawned.
  virtual void spawned_block(const clang::Stmt* body) = 0;
  /// Writes a plain loop so that lanes of a device share it if it is long, and returns whether it
  /// can be written so.
  virtual bool shared_loop_of(const clang::ForStmt* code) = 0;
  void plain_loop(const clang::ForStmt* code);
  /// Writes how many iterations a loop has, and its step, to variables of these names.
  void count_iterations(const loop_form& form, const std::string& begin, const std::string& count,
                        const std::string& step);
  /// Whether a variable may end before children that are spawned now are joined: it is declared in
  /// an inner block.
  [[nodiscard]] bool ends_early(const clang::VarDecl* variable) const;
  [[nodiscard]] static std::vector<const clang::Stmt*> statements_in(const clang::Stmt* body);

  /// The statements behind which the children of what is written are joined.
  std::vector<const clang::Stmt*> joined_;
  int in_parallel_ = 0;  // loops around

  /// Writes a statement in a block of its own.
  void block(const clang::Stmt* body);

 private:
  /// What a loop begins with, where it can stand in the loop's head; else nothing.
  std::string first_of(const clang::Stmt* code);
  void serial_loop(const clang::ForStmt* code);
  void serial_loop(const clang::WhileStmt* code);
  void serial_loop(const clang::DoStmt* code);
  void serial_loop(const clang::CXXForRangeStmt* code);
  void head(const clang::Stmt* code);
  void head(const clang::VarDecl* variable);
  void parallel_loop(const clang::ForStmt* code);
  bool declare_list(const clang::CXXForRangeStmt* code);
  /// A `cilk_for` whose variable is declared before it. The iterations have variables of their own,
  /// and it has its last value behind the loop.
  void loop_of_outer(const loop_form& form, const clang::ForStmt* code);
  /// A `cilk_for` over iterators counts its iterations. `begin`: the variable of the first value.
  /// Returns what the control variable is behind it.
  std::string counted_loop(const loop_form& form, const std::string& begin,
                           const clang::ForStmt* code);
  /// What the chunks of a `cilk_for` have of their own: views in variables, or sets of views, of
  /// these kinds.
  struct chunk_parts {
    std::vector<chunk_view> views;
    view_set sets;
    [[nodiscard]] bool none() const { return views.empty() && sets.empty(); }
  };
  chunk_parts parts_of_chunks(const clang::ForStmt* code);
  /// A `cilk_for` in chunks, each of which has views of its own. `begin`: the first value.
  std::string chunked_loop(const loop_form& form, const std::string& begin,
                           const clang::ForStmt* code, const chunk_parts& parts);
  /// The line of a `cilk_for`, below its grain.
  void parallel_head(const clang::ForStmt* code, const std::string& text);
  /// The body of a loop; sums that wait are added before it ends. `before` writes what comes before
  /// it in each iteration.
  void body_of_loop(const clang::Stmt* body, llvm::function_ref<void()> before = {});
  /// The same for a `cilk_for`, whose iterations share the reducers around.
  void body_in_parallel(const clang::Stmt* body, llvm::function_ref<void()> before = {});
  void leave_unless(const clang::VarDecl* variable, const clang::Expr* value);
  void cases(std::vector<const clang::Stmt*> all, const std::string& value);
  /// A section's statement; returns whether control may go on behind it. The last statement of a
  /// block may be the switch's `break`.
  bool section_statement(const clang::Stmt* code);
};

}  // namespace cilk2chan
