#pragma once

#include "frontend/keywords.hpp"  // keyword_use

#include <clang/AST/ASTContext.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cilk2chan {

/// A part of the text, by offsets.
struct text_range {
  unsigned begin = 0;
  unsigned end = 0;
  auto operator<=>(const text_range&) const = default;
};

/// A file that has been parsed: its tree, its text, and where the tree's nodes stand in the text.
/// Only the main file is ever rewritten.
class parsed_file {
 public:
  parsed_file(clang::ASTContext& context, clang::Preprocessor& preprocessor)
      : context(context), preprocessor(preprocessor), sources(context.getSourceManager()) {}

  clang::ASTContext& context;
  clang::Preprocessor& preprocessor;
  const clang::SourceManager& sources;
  std::vector<keyword_use> keywords;
  std::vector<std::string> system_headers;  // as they are included
  /// Spawns and loops that run serially, by their offsets, and why (`reasons`).
  mutable std::map<unsigned, std::string> serial;
  std::map<unsigned, std::string>
      grains;  // `#pragma cilk grainsize`, by the offset of its line's end
  /// Macro calls by offset: where the macro was defined, if in the main file.
  std::map<unsigned, std::optional<unsigned>> macro_calls;
  /// Macro calls that hide something which has to be rewritten. If there are any, the rewritten
  /// text is of no use: they have to be expanded first.
  std::set<unsigned> hidden;

  [[nodiscard]] bool is_c() const { return !context.getLangOpts().CPlusPlus; }
  [[nodiscard]] llvm::StringRef text() const {
    return sources.getBufferData(sources.getMainFileID());
  }
  [[nodiscard]] std::string text(text_range range) const {
    return text().slice(range.begin, range.end).str();
  }
  /// The tokens' place in the text. Empty and at 0 if a macro hides a part of them; the macro call
  /// is then in `hidden`.
  [[nodiscard]] text_range range(clang::SourceRange tokens);
  [[nodiscard]] text_range range(const clang::Stmt* node) { return range(node->getSourceRange()); }
  /// The line, as `#line` has it, that the user wrote what is at `where` in.
  [[nodiscard]] unsigned line_of(clang::SourceLocation where) const {
    return sources.getPresumedLineNumber(sources.getExpansionLoc(where));
  }
  /// Offset of a place that is written in the main file, or of the macro call that it comes from.
  [[nodiscard]] unsigned offset(clang::SourceLocation where) const {
    return sources.getFileOffset(sources.getFileLoc(where));
  }
  [[nodiscard]] bool in_main_file(clang::SourceLocation where) const {
    return sources.isInMainFile(sources.getFileLoc(where));
  }
  /// `#line` for the place at `offset`.
  [[nodiscard]] std::string line_directive(unsigned offset) const;
  /// `wanted`, with a number appended if the program uses that name already.
  [[nodiscard]] std::string unused_name(const std::string& wanted);
  /// Offset of the first token at or after `offset`.
  [[nodiscard]] unsigned next_token(unsigned offset) const;
  /// Marks macro calls as hiding something.
  void hide(clang::SourceLocation where);

 private:
  std::set<std::string> taken_;
};

}  // namespace cilk2chan
