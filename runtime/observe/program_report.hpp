#pragma once

#include <chrono>  // steady_clock
#include <string>  // string

#include <nlohmann/json.hpp>  // ordered_json

#include "channels/settings.hpp"

namespace channels::detail {

/// A part of a compiled program that has statistics: channels, host code, a device.
class report_source {
 public:
  report_source() = default;
  report_source(const report_source&) = delete;
  report_source& operator=(const report_source&) = delete;
  virtual ~report_source() = default;

  /// Whether there are any statistics.
  [[nodiscard]] virtual bool counted() const = 0;
  [[nodiscard]] virtual std::string table() const = 0;
  virtual void add_to(nlohmann::ordered_json& document) const = 0;
};

/// Prints what `CHANNELS_STATS` asks for when a compiled program ends: a table for each of its
/// parts, as the parts end, or one JSON document of all parts.
class program_report {
 public:
  explicit program_report(const settings& options);
  program_report(const program_report&) = delete;
  program_report& operator=(const program_report&) = delete;
  ~program_report() { write(); }

  /// Prints the part's table now, or keeps its figures for the document.
  void add(const report_source& part);
  /// The program ends with the error `message`. Writes the document, as no destructor will run.
  void fail(const std::string& message);

 private:
  void write();

  std::string where_;
  std::chrono::steady_clock::time_point start_;
  nlohmann::ordered_json document_;
  bool anything_ = false;
};

/// The report of this program, made when the program starts.
[[nodiscard]] program_report& this_program_report();

}  // namespace channels::detail
