#include "frontend/declaration_chunks.hpp"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>  // isAlnum

#include <set>

namespace cilk2chan {
namespace {

// Reads the tokens of the main file from an offset on, as they are written.
class token_reader {
 public:
  token_reader(const program& source, unsigned from)
      : sources_(source.sources()), lexer_(make(source, from)) {}

  bool next() {
    lexer_.LexFromRawLexer(token);
    begin = sources_.getFileOffset(token.getLocation());
    return token.isNot(clang::tok::eof);
  }

  clang::Token token;
  unsigned begin = 0;

 private:
  static clang::Lexer make(const program& source, unsigned from) {
    const clang::SourceManager& sources = source.sources();
    const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
    return {sources.getLocForStartOfFile(sources.getMainFileID()), source.context->getLangOpts(),
            text.begin(), text.begin() + from, text.end()};
  }

  const clang::SourceManager& sources_;
  clang::Lexer lexer_;
};

// The first token in [from, to) that is no semicolon and has no directive behind it.
unsigned first_token(const program& source, unsigned from, unsigned to) {
  token_reader reader(source, from);
  bool directive = false;
  unsigned first = to;
  while (reader.next() && reader.begin < to) {
    if (reader.token.isAtStartOfLine()) directive = reader.token.is(clang::tok::hash);
    if (directive) {
      first = to;
    } else if (first == to && reader.token.isNot(clang::tok::semi)) {
      first = reader.begin;
    }
  }
  return first;
}

}  // namespace

std::vector<declaration_chunk> declaration_chunks_of(const program& source,
                                                     const clang::DeclContext* around,
                                                     unsigned start) {
  const clang::SourceManager& sources = source.sources();
  std::vector<declaration_chunk> found;
  for (clang::Decl* one : around->decls()) {
    const clang::SourceLocation begin = sources.getExpansionLoc(one->getBeginLoc());
    if (one->isImplicit() || begin.isInvalid() || !sources.isInMainFile(begin)) continue;
    const clang::SourceLocation last = sources.getExpansionRange(one->getEndLoc()).getEnd();
    declaration_chunk made;
    made.begin = sources.getFileOffset(begin);
    made.end = sources.getFileOffset(
        clang::Lexer::getLocForEndOfToken(last, 0, sources, source.context->getLangOpts()));
    // The name decides: a type or a last value may be a macro anyway, such as C's `bool` and
    // `true`.
    made.in_macro = one->getLocation().isMacroID();
    made.declarations.push_back(one);
    if (!found.empty() && made.begin < found.back().end) {
      declaration_chunk& before = found.back();
      before.end = std::max(before.end, made.end);
      before.in_macro = before.in_macro || made.in_macro;
      before.declarations.push_back(one);
    } else {
      found.push_back(std::move(made));
    }
  }
  // `int a, b;`: the second begins where the first does, and ends later.
  for (declaration_chunk& one : found) {
    one.begin = first_token(source, start, one.begin);
    token_reader reader(source, one.end);
    if (reader.next() && reader.token.is(clang::tok::semi)) one.end = reader.begin + 1;
    start = one.end;
  }
  return found;
}

unsigned inside_of(const program& source, const clang::Decl* declaration) {
  token_reader reader(source, source.sources().getFileOffset(
                                  source.sources().getExpansionLoc(declaration->getBeginLoc())));
  while (reader.next()) {
    if (reader.token.is(clang::tok::l_brace)) return reader.begin + 1;
  }
  return reader.begin;
}

std::string only_directives(const program& source, unsigned begin, unsigned end) {
  const clang::SourceManager& sources = source.sources();
  const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
  std::string result;
  token_reader reader(source, begin);
  unsigned at = begin;  // everything before is in the result
  const auto lines_to = [&](unsigned to) {
    for (; at < to; ++at) {
      if (text[at] == '\n') result += '\n';
    }
  };
  while (reader.next() && reader.begin < end) {
    if (!reader.token.isAtStartOfLine() || reader.token.isNot(clang::tok::hash) ||
        reader.begin < at)
      continue;
    lines_to(reader.begin);
    // To the end of the line, and of the lines that continue it.
    unsigned to = reader.begin;
    while (to < end && (text[to] != '\n' || text[to - 1] == '\\')) ++to;
    result += text.slice(at, to);
    at = to;
  }
  lines_to(end);
  return result;
}

namespace {

// Calls `each(line, words)` for the directives in `text`, which has nothing else: the whole line,
// and what follows its mark.
template <class Each>
void for_each_directive(llvm::StringRef text, Each each) {
  while (!text.empty()) {
    std::size_t length = text.find('\n');
    while (length != llvm::StringRef::npos && length > 0 && text[length - 1] == '\\')
      length = text.find('\n', length + 1);
    const llvm::StringRef line = text.take_front(length);
    text = text.drop_front(std::min(line.size() + 1, text.size()));
    llvm::StringRef words = line.ltrim();
    if (words.consume_front("#")) each(line, words.ltrim());
  }
}

}  // namespace

macro_directives macros_in(const program& source, unsigned begin, unsigned end) {
  macro_directives found;
  std::set<std::string> names;
  const auto note = [&](llvm::StringRef line, llvm::StringRef words) {
    const bool defines = words.consume_front("define");
    if (!defines && !words.starts_with("undef")) return;
    (defines ? found.defined : found.ended) += line.str() + '\n';
    const std::string name =
        words.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).str();
    if (defines && !names.insert(name).second) found.twice = name;
  };
  for_each_directive(only_directives(source, begin, end), note);
  return found;
}

std::string conditions_across(const program& source, unsigned begin, unsigned end) {
  std::string ended;
  std::vector<std::string> begun;
  const auto note = [&](llvm::StringRef line, llvm::StringRef words) {
    if (words.starts_with("if")) {
      begun.push_back(line.str() + '\n');
    } else if (!begun.empty()) {
      if (words.starts_with("endif")) begun.pop_back();
      if (words.starts_with("el")) begun.back() += line.str() + '\n';
    } else if (words.starts_with("el") || words.starts_with("endif")) {
      ended += line.str() + '\n';
    }
  };
  for_each_directive(only_directives(source, begin, end), note);
  for (const std::string& lines : begun) ended += lines;
  return ended;
}

}  // namespace cilk2chan
