#pragma once

#include "frontend/program.hpp"

#include <functional>
#include <string>

namespace cilk2chan {

/// How one node of a function writes the function's names and returns.
struct text_rules {
  /// What to write for a local variable.
  std::function<std::string(const clang::VarDecl*)> name;
  /// Called for each variable that copied text declares, before `name` is called for it.
  std::function<void(const clang::VarDecl*)> declared;
  /// What to write for any other name; empty: the name as it is.
  std::function<std::string(const clang::DeclRefExpr*)> outer_name;
  /// The lane's name: a return becomes `return lane.finish(value)`.
  std::string lane;
};

/// The user's text as a node has it: variables under their names in the node, returns as `finish`,
/// and the casts that C++ wants and C does not. Refuses changes inside macros.
class node_text {
 public:
  node_text(const program& source, const text_rules& rules) : source_(source), rules_(rules) {}

  [[nodiscard]] std::string text(const clang::Stmt* node) const;
  /// The same, with the semicolon that ends the statement.
  [[nodiscard]] std::string statement(const clang::Stmt* node) const;

 private:
  const program& source_;
  const text_rules& rules_;
};

/// One change to the main file.
struct replacement {
  unsigned offset = 0;
  unsigned removed = 0;
  std::string text;
  bool closes = false;  // belongs to the text before it
};

/// What changes in the text of `node`: the casts that C needs in C++, and what devices spell in
/// another way.
[[nodiscard]] std::vector<replacement> text_changes(const program& source, clang::Decl* node);

/// Whether C++ wants a cast where C converts without one.
[[nodiscard]] bool wants_cast(const program& source, const clang::ImplicitCastExpr* node);

/// Whether a value of a pointer's type is written as a null pointer constant, which is a number
/// where nothing says which pointer it becomes.
[[nodiscard]] bool is_null_pointer(const clang::Expr* value);

/// Whether a semicolon follows the statement that is not part of its node.
[[nodiscard]] bool wants_semicolon(const clang::Stmt* node);

/// `text`, which starts at `offset` in its file, with `replacements` made in order.
[[nodiscard]] std::string apply(const std::vector<replacement>& replacements,
                                const std::string& text, unsigned offset);

}  // namespace cilk2chan
