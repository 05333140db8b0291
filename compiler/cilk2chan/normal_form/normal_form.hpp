#pragma once

#include "frontend/parsed_file.hpp"
#include "frontend/writer.hpp"  // line_directive
#include "normal_form/regions.hpp"
#include "normal_form/view_kinds.hpp"
#include "tasks/task_plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cilk2chan {

/// A type that plain forms have in the place of one without a name outside of its function.
struct hidden_text {
  std::string name;
  std::string definition;
  std::string members;                  // its call operators
  std::pair<unsigned, unsigned> lines;  // that these have
};

/// The plain form of a function that has no task as it stands.
struct plain_form {
  std::string name;
  std::string head;                 // its declaration
  std::string definition;           // with functions that it needs
  std::set<std::string> calls;      // names of other plain forms
  std::set<std::string> tables;     // declarations that tell where classes have their tables
  std::set<std::string> addresses;  // definitions of variables with functions' addresses
  /// The function would have a task as it stands (chosen_functions).
  bool is_taken_back = false;
  /// Of the user's text: the function itself, or a region of it, gives way to the plain form when
  /// the program runs as tasks. Empty for a function that spawns nothing.
  std::vector<text_change> changes;
  std::string instance;                 // an instance of a template: names it for the guard
  std::string function;                 // the user's, as a message names it
  unsigned line = 0;                    // where that is
  std::pair<unsigned, unsigned> lines;  // that the form has
  std::map<std::ptrdiff_t, hidden_text> hidden;  // types that it needs, in their order
  [[nodiscard]] bool has_line(const std::string& file, unsigned line) const {
    const std::string begin = line_directive(file, 1);
    const auto is_file = [&](const auto& one) { return one.second.starts_with(begin); };
    if (std::ranges::any_of(kinds, is_file)) return true;
    const auto within = [&](const std::pair<unsigned, unsigned>& part) {
      return line >= part.first && line <= part.second;
    };
    return within(lines) ||
           std::ranges::any_of(hidden, [&](const auto& one) { return within(one.second.lines); });
  }
  unsigned regions = 0;  // this is one of so many regions of the function; 0: it is all of it
  unsigned instance_number = 0;  // of a region: that of its function, or of a template's instance
  std::vector<plain_form> instead;   // its regions, if this form of all of it is left out
  bool is_only_part = false;         // a region of a function that can have no form as a whole
  std::vector<std::string> why_not;  // it is left out: with places
  bool is_static = false;            // it spawns nothing: only other forms call it
  bool is_leaf = false;  // one of the leaves of `chosen_functions`: others may call both
  /// Why host code cannot enter it: it is a task only where another calls it. Empty for a leaf.
  std::optional<std::string> unguarded;
  /// Functions of the file use reducers: only the strand that has their places for views gives way.
  bool has_reducers = false;
  view_set views;                         // kinds that it gets
  std::map<unsigned, std::string> kinds;  // texts of all that it uses (`view_kinds`)
};

/// Writes plain forms of the functions that `plan` leaves on the host: of those that spawn, and of
/// those between them. `id` is that of the file in its program. `kept`: tasks that stay what they
/// are. Adds those that should have given way to forms, and cannot: the others are to be written
/// again, without them. `for_devices`: there are others than the host. `refused` becomes why
/// functions have no form.
[[nodiscard]] std::vector<plain_form> plain_forms(parsed_file& source, const task_plan& plan,
                                                  const std::string& id, bool for_devices,
                                                  named_functions& kept, function_reasons& refused);

/// `text` with the plain forms at its end, and with guards in the functions that they stand for.
/// `name`: of the file; `id`: that of `plain_forms`.
[[nodiscard]] std::string with_plain_forms(const std::string& text, const std::string& name,
                                           const std::string& id,
                                           const std::vector<plain_form>& forms, bool is_c);

/// The functions in whose place there are plain forms.
[[nodiscard]] named_functions replaced_functions(const std::vector<plain_form>& forms);

/// Leaves out the forms of these names, and those that call one that is left out. Regions of a
/// function take the place of its form, if they call nothing that is left out. Returns the
/// functions that would have a task without such a form.
named_functions leave_out(std::vector<plain_form>& forms, const std::set<std::string>& names);
/// The same of those that nobody calls any more. Adds to `refused` why they need a caller.
named_functions leave_out_idle(std::vector<plain_form>& forms, function_reasons& refused);

}  // namespace cilk2chan
