#pragma once

#include "normal_form/plain_expressions.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cilk2chan {

/// What a `cilk_spawn` returns is added to `place` behind the next sync.
struct pending_sum {
  std::string place;
  std::string operation;
  std::string value;
};

/// A block: what has to be done before it ends.
struct open_block {
  std::vector<pending_sum> sums;
  std::vector<std::string> objects;  // with destructors, in the order of their constructors
  std::vector<std::pair<unsigned, std::string>> reducers;  // kinds and places: declared in it
  bool lends = false;           // children may use temporary objects of it
  std::size_t temporaries = 0;  // of the statement around, where it begins
  bool was_quiet = true;        // where it begins
};

constexpr llvm::StringLiteral spawn_word = "_Cilk_spawn ";

/// The text of a plain function: its lines, its blocks and what each of them has to do before it
/// ends.
class plain_writer {
 protected:
  plain_writer(const parsed_file& source, const plain_names& names, std::string name)
      : source_(source), expressions_(source, names), name_(std::move(name)) {}
  ~plain_writer() = default;

  void line(const std::string& text);
  /// What follows is at this place of the user's, or so many lines above it.
  void at(clang::SourceLocation where, unsigned above = 0);
  /// A directive that says so, for what is written into another function.
  [[nodiscard]] std::string line_of(clang::SourceLocation where) const;
  void fail(llvm::StringRef what, clang::SourceLocation where = {}) {
    expressions_.fail(what, where);
  }
  std::string fresh() { return "cilk_value_" + std::to_string(++values_); }
  /// A name for a function that this one needs.
  std::string fresh_function() { return name_ + "_" + std::to_string(++functions_); }

  /// Makes of a copy of a writer one of an empty function of this name, which the other needs.
  void begin_function(const std::string& name);

  std::string declared(clang::QualType type, const std::string& name);
  /// The same, with an object that is not trivially copyable in a box.
  std::string boxed(clang::QualType type, const std::string& name);

  void open();
  void close();
  /// Takes back the last line, a brace that nothing has followed.
  void take_back_brace();
  /// Writes what is to be done before the blocks from `from` on are left: children are waited for
  /// that use temporary objects, sums that wait are added, and objects destroyed.
  /// `kept`: an object that is returned.
  void leave(std::size_t from, const std::string& kept = "");
  bool waits(std::size_t from) const;
  /// The temporary object in a `cilk_held` of this name ends with the statement.
  void is_temporary_object(const std::string& name) { temporaries_.push_back(name); }
  [[nodiscard]] std::size_t temporary_objects() const { return temporaries_.size(); }
  /// The temporary objects but the first `before` end with the block.
  void keep_temporaries(std::size_t before);
  /// Ends the temporary objects but the first `before`.
  void end_temporaries(std::size_t before);
  void sync();

  /// From now on what is written is a strand with children: it has a set of views for what comes
  /// behind each child, and joins them behind each sync.
  void begin_strand();
  [[nodiscard]] bool has_strand() const { return !strands_.empty(); }
  /// The child that is written next gets the strand's views of this kind.
  void gives_views(unsigned kind) { given_.insert(kind); }
  /// The place of a reducer that the block declares is the strand's view.
  void keep_view(const clang::VarDecl* variable);

  const parsed_file& source_;
  plain_expressions expressions_;
  std::string name_;
  std::string before_;  // functions that it needs
  std::string text_;
  bool serial_ = false;  // it has no children
  bool jumps_while_children_run_ = false;
  std::vector<open_block> blocks_;           // around
  std::map<unsigned, std::string> strands_;  // variables, by the kind of views

 private:
  void add_up(const open_block& of);
  void wait();

  view_set given_;  // kinds of views that a child gets which is being written

  std::vector<std::string> temporaries_;  // of the statement that is written
  unsigned line_ = 0;        // the number that a compiler gives the next line; 0: unknown
  unsigned place_line_ = 0;  // the one that it shall have, of the user's file; 0: any
  std::string place_file_;
  bool goes_on_ = false;  // the next line belongs to the last one
  int values_ = 0;
  int functions_ = 0;
};

}  // namespace cilk2chan
