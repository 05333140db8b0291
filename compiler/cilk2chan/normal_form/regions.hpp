#pragma once

#include "diagnostics/error_collector.hpp"  // obstacle
#include "frontend/parsed_file.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <string>
#include <vector>

namespace cilk2chan {

/// Statements of one block that spawn, up to the sync that joins them: a plain function of their
/// own can take their place.
struct parallel_region {
  std::vector<const clang::Stmt*> statements;
  /// Variables of the function that they use. The plain function gets their addresses.
  std::vector<const clang::VarDecl*> used;
  /// Declared by the statements themselves, and before them from now on: what follows uses them.
  std::vector<const clang::VarDecl*> early;
  bool uses_object = false;  // `this`
  obstacle why_not;          // of one without statements: what keeps it where it is
};

/// Whether regions of a function may be cut out.
[[nodiscard]] bool can_be_cut(const clang::FunctionDecl* function);

/// The regions of a function. Those in which something stands in the way of cutting them out have
/// no statements: jumps out of them, lambdas, objects with destructors that live longer than the
/// region.
[[nodiscard]] std::vector<parallel_region> parallel_regions(const parsed_file& source,
                                                            const clang::FunctionDecl* definition);

/// The statement that copies an array of plain data.
[[nodiscard]] std::string copied_array(const std::string& to, const std::string& from);

/// A change of the user's text: from `begin` to `end` it becomes `text`.
struct text_change {
  unsigned begin = 0;
  unsigned end = 0;
  std::string text;
  auto operator<=>(const text_change&) const = default;
};

/// What makes the region a block behind `head`, which ends with the block's brace. Empty if a macro
/// hides a part of it.
[[nodiscard]] std::vector<text_change> changes_around(parsed_file& source,
                                                      const parallel_region& region,
                                                      const std::string& head);

}  // namespace cilk2chan
