#pragma once

#include "driver/commands.hpp"

#include <memory>
#include <string>

namespace cilk2chan {

/// An object file of a text that does not depend on the user's program. It is kept from one
/// compilation to the next in $CHANNELS_CACHE, or else in `channels` in the user's cache folder; it
/// is made anew if the compiler, its options or a header of channels has changed. Without such a
/// folder it is made for this link alone. The compiler runs beside the driver.
class kept_object {
 public:
  /// `compiler`: with all options but the files'. `text`: what it compiles, a file with the suffix
  /// `suffix`. `include_directory` holds channels/.
  kept_object(const command& compiler, const std::string& text, const char* suffix,
              const std::string& include_directory);
  kept_object(const kept_object&) = delete;
  kept_object& operator=(const kept_object&) = delete;
  ~kept_object();
  /// Waits for it. The object's name; empty if it could not be made, and what went wrong is printed
  /// then.
  [[nodiscard]] std::string finish();

 private:
  struct work;
  std::string file_;            // where it is or will be
  std::unique_ptr<work> work_;  // null: it is there
};

}  // namespace cilk2chan
