#pragma once

#include "frontend/source_file.hpp"  // source_file

#include <clang/Basic/Diagnostic.h>

#include <set>

namespace cilk2chan::host_code {

/// A text in which all that has to be rewritten is written out.
struct expansion {
  bool fine = false;      // whether Clang's preprocessor found no error
  bool has_cilk = false;  // whether the text, or a header that it includes, uses a Cilk keyword
  bool changed = false;   // whether `text` differs from what was given
  std::string text;
  /// What is to be said of the first Cilk keyword that is used where its header is not included;
  /// empty if none is. The program may have such a name of its own, and then compiles.
  std::string no_header;
};

/// Reports that a Cilk keyword stands at a place where its header is not included.
using no_header_report = void (*)(clang::DiagnosticsEngine&, clang::SourceLocation where,
                                  llvm::StringRef keyword);

/// What counts beside keywords.
struct reading {
  bool openmp = false;       ///< directives of OpenMP
  bool own_headers = false;  ///< in a file with Cilk: all headers that are not the system's
};

/// Replaces each macro call that yields a Cilk keyword by its expansion, on the same lines, and
/// each
/// `#include` of a header that uses a keyword by that header's text, with `#line` around it.
/// Replaces calls of macros whose names are words of tasks (task_words.hpp), and those that begin
/// at the offsets `asked`: rewriting has found something in them that it has to change.
[[nodiscard]] expansion expand(const source_file& file, const std::set<unsigned>& asked,
                               no_header_report report, reading how = {});

}  // namespace cilk2chan::host_code
