#pragma once

#include "host_code/loops.hpp"

namespace cilk2chan::host_code {

/// A variable that the body of a C loop uses and that is declared around the loop.
struct capture {
  enum kind { by_value, by_pointer } how = by_value;
  const clang::VarDecl* variable = nullptr;
  std::string field;               // its declaration in the closure
  std::string local;               // and in the function that the body becomes
  std::vector<std::string> sizes;  // fields for the sizes that its type has at run time
};

/// A C loop whose body becomes a function.
struct captured_loop {
  const loop_site* site = nullptr;
  captured_loop* outer = nullptr;
  std::string name;
  std::string variable_type;   // of the control variable
  std::string variable_field;  // its first value, in the closure
  std::string variable_declaration;
  std::vector<capture> captures;
  std::vector<const clang::DeclRefExpr*> names;  // of variables, in the body
  bool written = false;

  [[nodiscard]] const capture* find(const clang::VarDecl* variable) const;
  /// How a variable is written where the loop stands.
  [[nodiscard]] std::string name_outside(const clang::VarDecl* variable) const;
};

/// What the body of `site` needs, or nothing and why it cannot become a function.
[[nodiscard]] std::optional<captured_loop> capture_loop(rewriting& out, const loop_site& site,
                                                        const loop_form& form,
                                                        const char*& why_not);

/// Writes variables as the function that holds them sees them.
void rename_captures(rewriting& out, std::map<const loop_site*, captured_loop>& loops);

}  // namespace cilk2chan::host_code
