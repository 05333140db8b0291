#pragma once

#include <string>
#include <string_view>

namespace cilk2chan {

/// Collects generated lines, with indentation, and with `#line` wherever the text stops being where
/// the compiler would think it is.
class writer {
 public:
  /// `file` is what `#line` names; empty for no directives.
  explicit writer(std::string file) : file_(std::move(file)) {}

  /// A line that no user wrote.
  void line(std::string_view text);
  /// Text that comes from line `number` of the user's file, where it stood `column` columns in: its
  /// other lines are moved as far as the first.
  void user_line(unsigned number, unsigned column, std::string_view text);
  /// A line that starts nothing, such as a label, one step further out.
  void label(std::string_view text);
  void in() { ++depth_; }
  void out() { --depth_; }
  void set_depth(int depth) { depth_ = depth; }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void put(std::string_view text, int depth);
  [[nodiscard]] std::string moved(std::string_view text, unsigned column) const;

  std::string file_;
  std::string text_;
  int depth_ = 0;
  unsigned next_line_ =
      0;  // what the compiler takes the next line to be; 0 if that does not matter
};

}  // namespace cilk2chan
