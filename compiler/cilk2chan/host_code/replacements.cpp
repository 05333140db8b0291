#include "host_code/replacements.hpp"

#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace cilk2chan::host_code {

void replacements::replace(text_range range, maker make, int key) {
  if (range.end <= range.begin) return;
  const bool seen = std::ranges::any_of(
      replacements_, [&](const replacement& one) { return one.range == range && one.key == key; });
  if (seen) return;
  replacements_.push_back({range, std::move(make), key});
  sorted_ = false;
}

void replacements::insert(unsigned offset, maker make, int key) {
  replacements_.push_back({{offset, offset}, std::move(make), key});
  sorted_ = false;
}

std::string replacements::render(text_range range) {
  if (!sorted_) {
    std::ranges::stable_sort(replacements_, [](const replacement& a, const replacement& b) {
      if (a.range.begin != b.range.begin) return a.range.begin < b.range.begin;
      const bool a_insertion = a.range.end == a.range.begin;
      const bool b_insertion = b.range.end == b.range.begin;
      if (a_insertion != b_insertion) return a_insertion;
      return a.range.end > b.range.end;
    });
    sorted_ = true;
  }
  std::string result;
  unsigned at = range.begin;
  const auto first = std::ranges::lower_bound(
      replacements_, range.begin, {}, [](const replacement& one) { return one.range.begin; });
  for (auto one = first; one != replacements_.end() && one->range.begin <= range.end; ++one) {
    const text_range place = one->range;
    const bool insertion = place.begin == place.end;
    if (one->active || place.begin < at || place.end > range.end) continue;
    if (serial && one->key < first_serial_key) continue;
    // Insertions at the edges of a part belong to the text around the part.
    if (insertion && (place.begin == range.begin || place.begin == range.end)) continue;
    result += text_.slice(at, place.begin);
    one->active = true;
    std::string made = one->make();
    one->active = false;
    const auto had = text_.slice(place.begin, place.end).count('\n');
    const auto has = static_cast<std::size_t>(std::ranges::count(made, '\n'));
    if (has < had) made.append(had - has, '\n');
    result += made;
    at = place.end;
  }
  return result += text_.slice(at, range.end);
}

std::optional<std::string> one_line(const parsed_file& source, const std::string& text) {
  clang::Lexer lexer(clang::SourceLocation(), source.context.getLangOpts(), text.data(),
                     text.data(), text.data() + text.size());
  std::string line;
  clang::Token token;
  for (bool first = true; lexer.LexFromRawLexer(token), token.isNot(clang::tok::eof);
       first = false) {
    if (token.is(clang::tok::hash) && token.isAtStartOfLine() && !first) return std::nullopt;
    if (!first && (token.hasLeadingSpace() || token.isAtStartOfLine())) line += ' ';
    const std::size_t end = static_cast<std::size_t>(lexer.getBufferLocation() - text.data());
    llvm::StringRef spelling = llvm::StringRef(text).slice(end - token.getLength(), end);
    // A line that a backslash continues.
    for (const char c : spelling) {
      if (token.needsCleaning() && (c == '\\' || c == '\n') && !token.isLiteral()) continue;
      line += c;
    }
    if (token.isLiteral() && spelling.contains('\n')) return std::nullopt;
  }
  return line;
}

}  // namespace cilk2chan::host_code
