#pragma once

#include "analysis/references.hpp"
#include "frontend/parsed_file.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// What calls may call that do not name it: virtual ones, and those through pointers.
class call_edges {
 public:
  call_edges(const parsed_file& source, reference_finder& references)
      : source_(source), references_(references) {}

  [[nodiscard]] const parsed_file& source() const { return source_; }
  /// What a virtual call may call.
  [[nodiscard]] const std::vector<virtual_target>& of_virtual(const clang::CallExpr* call);
  /// Functions of the type of the call, whose addresses this file takes.
  [[nodiscard]] const call_targets::function_list& of_pointer(const clang::CallExpr* call);
  /// Those of all calls in a function.
  [[nodiscard]] std::vector<const clang::FunctionDecl*> of(const clang::FunctionDecl* function);

 private:
  call_targets& targets();

  const parsed_file& source_;
  reference_finder& references_;
  std::optional<call_targets> targets_;
  std::map<const clang::CXXMethodDecl*, std::vector<virtual_target>> of_methods_;
  std::map<call_targets::type, call_targets::function_list> of_types_;
};

/// The function as a pointer to what it is, for the end of the file; nothing where it, or its type,
/// has no name there.
[[nodiscard]] std::optional<std::string> pointer_to(const parsed_file& source,
                                                    const clang::FunctionDecl* function);

}  // namespace cilk2chan
