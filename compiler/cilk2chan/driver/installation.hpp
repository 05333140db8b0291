#pragma once

#include "driver/commands.hpp"

#include <optional>
#include <string>

namespace cilk2chan {

/// Where the driver finds its headers, and the library that its output is linked with.
class installation {
 public:
  explicit installation(const char* argv0);

  /// The directory that holds channels/; none if it is neither installed nor in the build tree.
  [[nodiscard]] std::optional<std::string> include_directory() const;
  /// libchannels.a; none if it is in neither place.
  [[nodiscard]] std::optional<std::string> library() const;

 private:
  std::string directory_;  // of the executable
};

/// The options with which a compiler finds `<channels/...>` and our `<cilk/cilk.h>` in
/// `include_directory`: pairs of `flag`, -I or -isystem, and a directory.
[[nodiscard]] arguments header_options(const char* flag, const std::string& include_directory);

}  // namespace cilk2chan
