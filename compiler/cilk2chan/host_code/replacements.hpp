#pragma once

#include "frontend/parsed_file.hpp"  // text_range

#include <functional>

namespace cilk2chan::host_code {

/// Replacements of parts of a text. One replacement may be inside another. A replacement makes its
/// new text when the text around it is made; the new text may contain any part of the old text,
/// with the replacements inside that part.
class replacements {
 public:
  using maker = std::function<std::string()>;

  explicit replacements(llvm::StringRef text) : text_(text) {}

  /// Replacements with a key below this give children away or wait for them. They are left out
  /// while `serial` is set.
  static constexpr int first_serial_key = 8;
  bool serial = false;

  /// Replaces a range. Of two replacements of the same range the first is the outer one. `key`
  /// tells them apart: a second replacement of the same range with the same key is ignored. The new
  /// text has at least as many lines as the old text.
  void replace(text_range range, maker make, int key = 0);
  /// Inserts a text at an offset, behind earlier insertions at the same offset.
  void insert(unsigned offset, maker make, int key = 0);

  [[nodiscard]] std::string render(text_range range);
  [[nodiscard]] std::string render_all() {
    return render({0, static_cast<unsigned>(text_.size())});
  }

 private:
  struct replacement {
    text_range range;
    maker make;
    int key;
    bool active = false;
  };

  llvm::StringRef text_;
  std::vector<replacement> replacements_;
  bool sorted_ = true;
};

/// `text` on one line, without comments; nothing if it cannot stand on one line.
[[nodiscard]] std::optional<std::string> one_line(const parsed_file& source,
                                                  const std::string& text);

}  // namespace cilk2chan::host_code
