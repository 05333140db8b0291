#pragma once

#include "host_code/places.hpp"

namespace cilk2chan::host_code {

/// How a C++ child gets an argument, or the object that it is called on.
struct argument {
  enum how { value, reference, constant, moved } passed = value;
  bool convert = false;  // to the parameter's type, before the child starts
  bool move = false;     // out of the closure, into the parameter
  std::string type;      // the parameter's, for the conversion
  auto operator<=>(const argument&) const = default;
};

/// What has to be known about a C++ spawn before it can be given away.
struct child_facts {
  const char* why_not = nullptr;  // it is a plain call
  std::vector<argument> arguments;
  argument object;  // of a member function or a function object
  auto operator<=>(const child_facts&) const = default;
};

/// The arguments of a call as they are written, without the object of a function object.
[[nodiscard]] std::vector<const clang::Expr*> written_arguments(const clang::CallExpr* call);

/// For each spawn, in order. In templates they are found out from the instantiations, which have to
/// agree.
[[nodiscard]] std::vector<child_facts> find_facts(parsed_file& source, const place_list& places);

}  // namespace cilk2chan::host_code
