#pragma once

#include <string>
#include <string_view>

namespace cilk2chan {

/// Collects generated lines, with indentation. Adds `#line` wherever the compiler would otherwise
/// assume a wrong place in the user's file.
class writer {
 public:
  /// `lines`: whether it adds `#line`.
  explicit writer(bool lines) : lines_(lines) {}

  /// A line that no user wrote.
  void line(std::string_view text);
  /// Text that comes from line `number` of the user's `file`, where it is indented by `column`
  /// columns. Its other lines move as far as the first.
  void user_line(std::string_view file, unsigned number, unsigned column, std::string_view text);
  /// A label, indented one step less.
  void label(std::string_view text);
  void in() { ++depth_; }
  void out() { --depth_; }
  void set_depth(int depth) { depth_ = depth; }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void put(std::string_view text, int depth);
  [[nodiscard]] std::string moved(std::string_view text, unsigned column) const;

  bool lines_;
  std::string file_;  // of the last directive
  std::string text_;
  int depth_ = 0;
  unsigned next_line_ =
      0;  // the number that the compiler gives the next line; 0: there was no directive
};

/// `#line` for a line of a file.
[[nodiscard]] std::string line_directive(std::string_view file, unsigned line);

}  // namespace cilk2chan
