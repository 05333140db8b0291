#pragma once

#include "frontend/program.hpp"

#include <functional>
#include <string>

namespace cilk2chan {

/// How names and returns of a function read in one of its nodes.
struct text_rules {
  /// What to write for a local variable.
  std::function<std::string(const clang::VarDecl*)> name;
  /// Told of each variable that copied text declares, before it is named.
  std::function<void(const clang::VarDecl*)> declared;
  /// What to write for anything else that is named, or nothing to leave it.
  std::function<std::string(const clang::DeclRefExpr*)> outer_name;
  /// The lane's name: a return becomes `return lane.finish(value)`.
  std::string lane;
};

/// The user's text with its changes applied: variables under the names they have in a node, returns
/// as `finish`, and the casts that C leaves out and C++ wants. Reports what a macro puts out of
/// reach.
class node_text {
 public:
  node_text(const program& source, const text_rules& rules) : source_(source), rules_(rules) {}

  [[nodiscard]] std::string text(const clang::Stmt* node) const;
  /// With the semicolon that belongs to it.
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
  bool closes = false;  // stands after what it belongs to
};

/// The casts that `node`, of a C file, needs in C++.
[[nodiscard]] std::vector<replacement> c_casts(const program& source, clang::Decl* node);

/// Whether a semicolon follows the statement, which is not part of it.
[[nodiscard]] bool wants_semicolon(const clang::Stmt* node);

/// `text`, which starts at `offset` in its file, with `replacements` made in order.
[[nodiscard]] std::string apply(const std::vector<replacement>& replacements,
                                const std::string& text, unsigned offset);

}  // namespace cilk2chan
