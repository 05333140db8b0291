#pragma once

#include <chrono>  // steady_clock
#include <string>  // string

#include <nlohmann/json.hpp>  // ordered_json

#include "channels/settings.hpp"

namespace channels::detail {

/// A part of a compiled program that counts something.
class report_source {
 public:
  report_source() = default;
  report_source(const report_source&) = delete;
  report_source& operator=(const report_source&) = delete;
  virtual ~report_source() = default;

  /// Whether there is anything to say.
  [[nodiscard]] virtual bool counted() const = 0;
  [[nodiscard]] virtual std::string table() const = 0;
  virtual void add_to(nlohmann::ordered_json& document) const = 0;
};

/// What `CHANNELS_STATS` prints when a compiled program ends: a table for each part of it, as the
/// parts end, or one JSON document of all.
class program_report {
 public:
  explicit program_report(const settings& options);
  program_report(const program_report&) = delete;
  program_report& operator=(const program_report&) = delete;
  ~program_report() { write(); }

  /// Prints the part's table now, or keeps its figures for the document.
  void add(const report_source& part);
  /// The program ends with `message`: writes the document now, for no destructor will.
  void fail(const std::string& message);

 private:
  void write();

  std::string where_;
  std::chrono::steady_clock::time_point start_;
  nlohmann::ordered_json document_;
  bool anything_ = false;
};

/// The one of this program, made when the program starts.
[[nodiscard]] program_report& this_program_report();

}  // namespace channels::detail
