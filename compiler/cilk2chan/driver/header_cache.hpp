#pragma once

#include "driver/commands.hpp"

#include <memory>
#include <string>

namespace cilk2chan {

/// A compiler that runs beside the driver on a text that includes `header` first. Clang reads the
/// header in a precompiled form, which is kept from one compilation to the next in $CHANNELS_CACHE,
/// or else in `channels` in the user's cache folder. Without such a folder, and with other
/// compilers, the header is read as it is.
class compilation {
 public:
  /// `compiler`: with the options that matter to the header. `rest`: the text's file, the object's,
  /// and options for the text alone. Messages go to a file.
  compilation(command compiler, const arguments& rest, const std::string& header,
              const std::string& messages);
  compilation(const compilation&) = delete;
  compilation& operator=(const compilation&) = delete;
  /// Waits for it. Returns whether it started and ended with status 0.
  [[nodiscard]] bool succeeded();

 private:
  command plain_;  // with the header as it is
  std::string messages_;
  std::string precompiled_;  // a file, or empty
  std::unique_ptr<running> process_;
};

}  // namespace cilk2chan
