#pragma once

#include <cstdint>  // fixed-width integers
#include <span>     // span
#include <string>   // string

#include <nlohmann/json.hpp>  // ordered_json

#include "channels/statistics.hpp"

/// The table of all statistics of runs through channels. The JSON of a run, the sum of several runs
/// and docs/reference/statistics.md are made from it.
namespace channels::detail {

/// When the JSON of a run has a field.
struct condition {
  const char* text;  ///< for documents; "" for always
  bool (*holds)(const statistics& run);
};

/// A row: a field of the JSON.
template <class Record>
struct statistic {
  const char* field;    ///< its name; "a.b" is field b of the object a
  const char* unit;     ///< "" for a count or text
  const char* meaning;  ///< in a few words
  nlohmann::ordered_json (*value)(const Record& of, const statistics& run);
  /// Adds the value of another run to `to`. Null for what is computed from other fields, and for
  /// what `statistics::operator+=` adds itself.
  void (*add)(Record& to, const Record& other);
  const condition* shown;
};

/// Fields of a run, of a channel or stack, of a kernel node, of a compute unit, and of a link
/// between two places.
[[nodiscard]] std::span<const statistic<statistics>> run_fields();
[[nodiscard]] std::span<const statistic<channel_statistics>> channel_fields();
[[nodiscard]] std::span<const statistic<node_statistics>> node_fields();
[[nodiscard]] std::span<const statistic<unit_statistics>> unit_fields();
[[nodiscard]] std::span<const statistic<link_statistics>> link_fields();

/// Adds all fields of `other` that have a rule for it.
template <class Record>
void add_fields(std::span<const statistic<Record>> fields, Record& to, const Record& other) {
  for (const statistic<Record>& row : fields) {
    if (row.add != nullptr) row.add(to, other);
  }
}

/// `part` as a share of `whole`, 0 to 1; 0 of nothing.
[[nodiscard]] inline double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The text of docs/reference/statistics.md.
[[nodiscard]] std::string statistics_page();

}  // namespace channels::detail
