#pragma once

#include <algorithm>    // find
#include <charconv>     // from_chars
#include <optional>     // optional
#include <string_view>  // string_view
#include <vector>       // vector

namespace channels::detail {

/// Which GPUs a setting names: so many, from the first on, or these, in this order. Both empty: the
/// setting leaves it to the device.
struct gpu_list {
  unsigned count = 0;
  std::vector<unsigned> named;

  [[nodiscard]] bool is_empty() const { return count == 0 && named.empty(); }
};

/// Reads `settings::devices`: "", a number from 1 on such as "2", or at least two different numbers
/// such as "0,1". Nothing if the text is none of these.
inline std::optional<gpu_list> read_gpu_list(std::string_view text) {
  gpu_list read;
  if (text.empty()) return read;
  const bool is_list = text.find(',') != std::string_view::npos;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    unsigned number = 0;
    const auto [rest, failure] = std::from_chars(at, end, number);
    if (failure != std::errc{}) return std::nullopt;
    if (!is_list) {
      read.count = number;
      return rest == end && number != 0 ? std::optional(read) : std::nullopt;
    }
    if (std::find(read.named.begin(), read.named.end(), number) != read.named.end())
      return std::nullopt;
    read.named.push_back(number);
    if (rest == end) return read;
    if (*rest != ',') return std::nullopt;
    at = rest + 1;
  }
}

}  // namespace channels::detail
