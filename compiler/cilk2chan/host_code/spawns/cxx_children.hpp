#pragma once

#include "host_code/places/places.hpp"

namespace cilk2chan::host_code {

/// How the closure of a C++ child holds an argument, or the object of a member call.
struct child_argument {
  enum how { value, reference, constant, moved } passed = value;
  bool convert = false;  // to the parameter's type, when the child is given away
  bool move = false;     // from the closure into the parameter
  std::string type;      // the parameter's type, for `convert`
  auto operator<=>(const child_argument&) const = default;
};

/// How a C++ child is given away: the plan of its closure.
struct cxx_child {
  const char* why_not = nullptr;  // not null: the spawn is a plain call
  std::vector<child_argument> arguments;
  child_argument object;  // the object of a member function, or a function object
  auto operator<=>(const cxx_child&) const = default;
};

/// The arguments that the program writes in a call, without a function object.
[[nodiscard]] std::vector<const clang::Expr*> written_arguments(const clang::CallExpr* call);

/// Plans the children of all spawns, in their order. A spawn in a template is planned from the
/// template's instantiations, which have to agree.
[[nodiscard]] std::vector<cxx_child> plan_cxx_children(parsed_file& source,
                                                       const place_list& places);

}  // namespace cilk2chan::host_code
