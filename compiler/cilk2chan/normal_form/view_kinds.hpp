#pragma once

#include "analysis/reductions.hpp"
#include "frontend/parsed_file.hpp"

#include <clang/AST/Decl.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cilk2chan {

/// Kinds of reducers whose views are reduced in serial order, by number.
using view_set = std::set<unsigned>;

/// The kinds of a file. A task gets its strand's views of each kind that it uses, in a parameter.
/// What a strand does in front of a spawn and what the child does go to one set of views, what it
/// does behind the spawn to another, and a sync reduces them in their order. A set that is null is
/// that of the first strand: the places of the reducers are its views.
class view_kinds {
 public:
  /// `all`: also those whose operation is atomic (`reduces_in_any_order`).
  explicit view_kinds(bool all) : all_reducers_(all) {}

  /// The number of the reducer's kind; nothing for one that is not wanted, or of which not enough
  /// is known.
  [[nodiscard]] std::optional<unsigned> find(const parsed_file& source, const reducer_facts& facts);
  /// The kinds of the views that `code` uses.
  [[nodiscard]] view_set used_in(const parsed_file& source, const clang::Stmt* code);
  /// What plain functions call for views of this kind, behind `common_text_of_views`. In messages
  /// of compilers it is a file of its own.
  [[nodiscard]] std::string text(unsigned kind) const;

 private:
  struct kind {
    std::string name;     // of the type of a view
    std::string pointer;  // to a view: the type
    std::string make;     // the statement that makes a view
    std::string reduce;   // those that reduce two, and end the right one
  };
  bool all_reducers_;
  std::vector<kind> all_;
  std::map<std::string, std::optional<unsigned>> known_;
};

[[nodiscard]] std::string common_text_of_views(bool is_c);

/// A task's parameter, and what it is called.
[[nodiscard]] std::string views_parameter(unsigned kind);
[[nodiscard]] std::string views_name(unsigned kind);

}  // namespace cilk2chan
