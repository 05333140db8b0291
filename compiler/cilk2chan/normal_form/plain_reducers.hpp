#pragma once

#include "analysis/reductions.hpp"
#include "normal_form/plain_calls.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <string>
#include <vector>

namespace cilk2chan {

/// Whether the copy of a view's bytes is a view.
[[nodiscard]] bool is_copied_by_bytes(clang::QualType type);

/// How a loop in parallel sees a reducer: each of its chunks has a view of its own.
struct chunk_view {
  std::string place;
  reducer_facts facts;
  std::string name;   // of the view
  std::string views;  // of the array of views that are reduced in order; empty: in any order
  std::string whole;  // what these are reduced into
  std::string total;  // of what chunks reduce in any order, where the loop has one
};

/// A variable in which a loop combines what it does to a reducer whose place is the view of all
/// tasks.
struct loop_view {
  std::string place;
  reducer_facts facts;
  std::string name;    // of the variable
  std::string is_set;  // one that says whether there is a value, where the reducer has such a mark
};

/// Writes what a function does to reducers. Tasks have no views: the place of a reducer is the view
/// of all of them, and each change of it one atomic operation. In a `cilk_for` that calls nothing
/// parallel, each chunk of iterations has a view, a variable. So has a loop of one task, where all
/// that it does to the reducer are such changes: the operation comes once, behind the loop.
class plain_reducers : public plain_calls {
 protected:
  using plain_calls::plain_calls;
  ~plain_reducers() = default;

  /// Writes a statement that changes a reducer whose view it shares. Returns false for others.
  bool update(const clang::Stmt* code);
  /// Writes the declaration of a reducer. Returns false for other variables.
  bool declare_reducer(const clang::VarDecl* variable);

  /// The views that chunks of the loop `code` have, if the body can do with those; else none.
  std::vector<chunk_view> chunk_views(const clang::ForStmt* code);
  /// Writes the views of `length` chunks, a variable, where these are reduced in order, and behind
  /// the loop what reduces them. Returns the array that counts which chunks are done, if any.
  std::string declare_views(const std::vector<chunk_view>& views, const std::string& length);
  void reduce_views(const std::vector<chunk_view>& views, const std::string& length);
  /// Writes the beginning of a chunk: makes its views.
  void begin_views(const std::vector<chunk_view>& views);
  /// Writes the end of a chunk, `index`: what becomes of its views.
  void end_views(const std::vector<chunk_view>& views, const std::string& done,
                 const std::string& index, const std::string& length);

  /// Writes a loop, by `write`, that is not in parallel, with such views around it.
  void with_loop_views(const clang::Stmt* loop, llvm::function_ref<void()> write);
  /// Whether a loop around has such views, which are variables of this function.
  [[nodiscard]] bool has_loop_views() const { return !loop_views_.empty(); }

 private:
  /// A change of a view by what the reducer's operation is.
  struct change {
    named_view view;
    const clang::Expr* operand = nullptr;  // null: one
    bool minus = false;
    clang::BinaryOperatorKind overloaded = clang::BO_Comma;  // of an object: `+=`, `+`, and so on
  };
  class loop_reader;
  std::vector<loop_view> find_loop_views(const clang::Stmt* loop);
  /// Whether the view is an element of an array, and all that the loop does to its reducer and to
  /// those that may be the same are atomic operations.
  bool is_only_changed(const clang::Stmt* loop, const named_view& view);
  /// Whether a change can be an atomic operation on the reducer's place.
  bool is_atomic(const change& one) const;
  /// Writes a change of the view of a loop.
  void change_loop_view(const loop_view& view, const change& how, const std::string& part);
  bool find_change(const clang::Stmt* code, change& found);
  bool find_change(const clang::Expr* value, change& found);
  bool find_call(const clang::CallExpr* call, change& found);
  bool find_branch(const clang::IfStmt* code, change& found);
  bool find_macro(const clang::DoStmt* code, change& found);
  bool is_view(const clang::Expr* value, const named_view& view);
  bool is_choice(const clang::Expr* condition, const named_view& view, const clang::Expr* other,
                 view_operation how, bool takes_view);
  /// The text of the atomic operation that brings `part` into what is at `address`.
  std::string combined(const reducer_facts& facts, const std::string& address,
                       const std::string& part, bool minus = false);
  /// The function that does so where there is no such operation of the machine.
  std::string helper(const reducer_facts& facts, clang::QualType type);
  /// What a view begins with, if that is known.
  std::string first_value(const reducer_facts& facts);
  bool is_boxed_view(const reducer_facts& facts) const;
  /// Reduces the view of chunk `index` into another view of the same reducer.
  void reduce_view(const chunk_view& one, const std::string& into, const std::string& index);
  void reduce_neighbours(const std::vector<chunk_view>& views, const std::string& done,
                         const std::string& index, const std::string& length);
  /// What names a view in the array of views.
  std::string view_at(const chunk_view& one, const std::string& index) const;
  /// Declares a variable that begins as a view of `whole`, which is reduced in any order.
  void declare_start(const chunk_view& one, const std::string& name, const std::string& whole);

  std::map<std::string, std::string> helpers_;   // by type and operation
  std::map<std::string, loop_view> loop_views_;  // by the names of their variables
  llvm::DenseMap<const clang::FunctionDecl*, bool> reaches_reducers_;
};

}  // namespace cilk2chan
