#include "frontend/writer.hpp"

#include <algorithm>

namespace cilk2chan {

void writer::line(std::string_view text) { put(text, depth_); }

void writer::label(std::string_view text) { put(text, std::max(0, depth_ - 1)); }

void writer::user_line(std::string_view file, unsigned number, unsigned column,
                       std::string_view text) {
  if (lines_ && (next_line_ != number || file_ != file)) {
    text_ += line_directive(file, number);
    next_line_ = number;
    file_ = file;
  }
  // White space inside a raw string must stay.
  put(text.find("R\"") == std::string_view::npos ? moved(text, column) : std::string(text), depth_);
}

std::string writer::moved(std::string_view text, unsigned column) const {
  std::string result;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (at != 0) {
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      line.remove_prefix(std::min<std::size_t>(indent, column));
      result += '\n';
      if (!line.empty()) result.append(static_cast<std::size_t>(depth_) * 2, ' ');
    }
    result += line;
    at = end + 1;
  }
  return result;
}

void writer::put(std::string_view text, int depth) {
  if (!text.empty()) text_.append(static_cast<std::size_t>(depth) * 2, ' ').append(text);
  text_ += '\n';
  if (next_line_ != 0) next_line_ += 1 + static_cast<unsigned>(std::ranges::count(text, '\n'));
}

std::string line_directive(std::string_view file, unsigned line) {
  std::string text = "#line " + std::to_string(line) + " \"";
  for (const char c : file) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? "\\n" : std::string(1, c);
  }
  return text + "\"\n";
}

}  // namespace cilk2chan
