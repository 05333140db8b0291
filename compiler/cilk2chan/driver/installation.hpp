#pragma once

#include <optional>
#include <string>

namespace cilk2chan {

/// Where this tool finds its headers and the library that its output is linked with.
class installation {
 public:
  explicit installation(const char* argv0);

  /// The directory that holds cilk/cilk.h and channels/; none if it is not where it should be.
  [[nodiscard]] std::optional<std::string> include_directory() const;
  [[nodiscard]] std::optional<std::string> library() const;

 private:
  std::string directory_;  // of the executable
};

}  // namespace cilk2chan
