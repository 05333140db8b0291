#pragma once

#include "frontend/program.hpp"

#include <string>
#include <vector>

namespace cilk2chan {

/// A part of the main file, by offsets, that declares something outside of functions: everything
/// that one declaration, with its semicolon, or one macro call declares.
struct declaration_chunk {
  unsigned begin = 0;
  unsigned end = 0;
  bool in_macro = false;
  std::vector<clang::Decl*> declarations;
};

/// The declaration chunks of the file, of a namespace or of a linkage specification, in their
/// order. The text before the first of them begins at `start`.
[[nodiscard]] std::vector<declaration_chunk> declaration_chunks_of(const program& source,
                                                                   const clang::DeclContext* around,
                                                                   unsigned start);

/// Where the contents of a namespace or linkage specification with braces begin.
[[nodiscard]] unsigned inside_of(const program& source, const clang::Decl* declaration);

/// The directives of a part of the main file, with empty lines in place of all other text.
[[nodiscard]] std::string only_directives(const program& source, unsigned begin, unsigned end);

/// The `#define` and `#undef` directives in a part of the main file, as they are written, in order,
/// each in a line.
struct macro_directives {
  std::string defined;
  std::string ended;
  std::string twice;  // a macro that has more than one definition there; empty: none
};
[[nodiscard]] macro_directives macros_in(const program& source, unsigned begin, unsigned end);

// The lines of conditional directives from `begin` to `end` whose other ends are outside: a
// function may have several heads or ends, of which one is chosen.
[[nodiscard]] std::string conditions_across(const program& source, unsigned begin, unsigned end);

}  // namespace cilk2chan
