#pragma once

#include "frontend/parsed_file.hpp"  // text_range

#include <functional>

namespace cilk2chan::host_code {

/// Changes to a text, one inside the other. What a change puts in its place is asked for when the
/// text around it is made, and may hold any part of the text with the changes inside that part.
class replacements {
 public:
  using maker = std::function<std::string()>;

  explicit replacements(llvm::StringRef text) : text_(text) {}

  /// Changes with a key below this give children away, or wait for them. They are left out while
  /// `serial` is set.
  static constexpr int first_serial_key = 8;
  bool serial = false;

  /// Replaces a range. The first of two changes of the same range is the outer one; `key` tells
  /// them apart, and a change that is there already is not made twice. Lines are kept: what comes
  /// out has at least as many as what was there.
  void replace(text_range range, maker make, int key = 0);
  /// Puts a text at an offset, behind what was put there before.
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

/// `text` as one line, without comments; nothing if it cannot be one.
[[nodiscard]] std::optional<std::string> one_line(const parsed_file& source,
                                                  const std::string& text);

}  // namespace cilk2chan::host_code
