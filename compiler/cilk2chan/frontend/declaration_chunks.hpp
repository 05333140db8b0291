#pragma once

#include "frontend/program.hpp"

#include <string>
#include <vector>

namespace cilk2chan {

/// A part of the main file that declares something outside of functions: all that one declaration,
/// or one macro call, declares. By offsets, with the semicolon.
struct declaration_chunk {
  unsigned begin = 0;
  unsigned end = 0;
  bool in_macro = false;
  std::vector<clang::Decl*> declarations;
};

/// The chunks of the file, of a namespace or of a linkage specification, in their order. What
/// stands before the first of `around`'s declarations begins at `start`.
[[nodiscard]] std::vector<declaration_chunk> declaration_chunks_of(const program& source,
                                                                   const clang::DeclContext* around,
                                                                   unsigned start);

/// Where the contents of a namespace or linkage specification with braces begin.
[[nodiscard]] unsigned inside_of(const program& source, const clang::Decl* declaration);

/// The text of a part of the main file without all but its directives, with as many lines.
[[nodiscard]] std::string only_directives(const program& source, unsigned begin, unsigned end);

/// The macros that are defined, and those whose definitions end, in a part of the main file: the
/// directives as they are written, in order, each in a line.
struct macro_directives {
  std::string defined;
  std::string ended;
  std::string twice;  // a macro with more than one definition there
};
[[nodiscard]] macro_directives macros_in(const program& source, unsigned begin, unsigned end);

}  // namespace cilk2chan
