#pragma once

#include "host_code/loops/loops.hpp"

namespace cilk2chan::host_code {

/// A variable that the body of a C loop uses and that is declared outside the loop.
struct capture {
  enum kind { by_value, by_pointer } how = by_value;
  const clang::VarDecl* variable = nullptr;
  std::string field;               // the declaration in the closure
  std::string local;               // the declaration in the function that the body becomes
  std::vector<std::string> sizes;  // fields for array sizes that are known at run time
};

/// A C loop whose body becomes a function.
struct captured_loop {
  const loop_site* site = nullptr;
  captured_loop* outer = nullptr;
  std::string name;
  std::string variable_type;   // type of the control variable
  std::string variable_field;  // field for its first value, in the closure
  std::string variable_declaration;
  std::vector<capture> captures;
  std::vector<const clang::DeclRefExpr*> names;  // uses of variables in the body
  bool written = false;

  [[nodiscard]] const capture* find(const clang::VarDecl* variable) const;
  /// The spelling of a variable in the function that contains the loop.
  [[nodiscard]] std::string name_outside(const clang::VarDecl* variable) const;
};

/// The variables that the body of `site` needs; nothing, and `why_not`, if the body cannot become a
/// function. `form` is null for a block that is spawned.
[[nodiscard]] std::optional<captured_loop> capture_loop(rewriting& out, const loop_site& site,
                                                        const loop_form* form,
                                                        const char*& why_not);

/// The variables that a spawned block in C++ has copies of: those that it only reads. All others it
/// uses where they are. Nothing, and `why_not`, if one of these may end before the children do.
[[nodiscard]] std::optional<std::vector<const clang::VarDecl*>> copied_variables(
    parsed_file& source, const loop_site& site, const char*& why_not);

/// Rewrites the names of captured variables to what they are in the function that the innermost
/// loop's body becomes.
void rename_captures(rewriting& out, std::map<const loop_site*, captured_loop>& loops);

}  // namespace cilk2chan::host_code
