#include "frontend/parsed_file.hpp"

#include "frontend/writer.hpp"  // line_directive

#include <clang/Lex/Lexer.h>

namespace cilk2chan {

text_range parsed_file::range(clang::SourceRange tokens) {
  const auto file_range = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(tokens), sources, context.getLangOpts());
  if (file_range.isInvalid()) {
    hide(tokens.getBegin());
    hide(tokens.getEnd());
    return {};
  }
  return {sources.getFileOffset(file_range.getBegin()), sources.getFileOffset(file_range.getEnd())};
}

void parsed_file::hide(clang::SourceLocation where) {
  if (!where.isMacroID()) return;
  const clang::SourceLocation call = sources.getExpansionRange(where).getBegin();
  if (sources.isInMainFile(call)) hidden.insert(sources.getFileOffset(call));
}

std::string parsed_file::line_directive(unsigned offset) const {
  const clang::PresumedLoc place =
      sources.getPresumedLoc(sources.getLocForStartOfFile(sources.getMainFileID())
                                 .getLocWithOffset(static_cast<int>(offset)));
  return cilk2chan::line_directive(place.getFilename(), place.getLine());
}

std::string parsed_file::unused_name(const std::string& wanted) {
  std::string name = wanted;
  const auto is_taken = [&] {
    return taken_.contains(name) || context.Idents.find(name) != context.Idents.end();
  };
  for (unsigned more = 2; is_taken(); ++more) name = wanted + "_" + std::to_string(more);
  taken_.insert(name);
  return name;
}

unsigned parsed_file::next_token(unsigned offset) const {
  const clang::SourceLocation start = sources.getLocForStartOfFile(sources.getMainFileID());
  const llvm::StringRef all = text();
  clang::Lexer lexer(start, context.getLangOpts(), all.begin(), all.begin() + offset, all.end());
  clang::Token token;
  lexer.LexFromRawLexer(token);
  return sources.getFileOffset(token.getLocation());
}

}  // namespace cilk2chan
