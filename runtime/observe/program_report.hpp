#pragma once

#include <chrono>  // steady_clock
#include <deque>   // deque
#include <memory>  // shared_ptr
#include <mutex>   // mutex
#include <string>  // string

#include <nlohmann/json.hpp>  // ordered_json

#include "channels/settings.hpp"
#include "channels/statistics.hpp"
#include "runtime/observe/run_document.hpp"

namespace channels::detail {

/// A part of a compiled program that has statistics beside its runs through channels: host code, a
/// device.
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

/// The runs through channels of all runtimes that have the same settings.
struct counted_runs {
  explicit counted_runs(settings of) : options(std::move(of)) {}

  settings options;
  statistics sum;
};

/// What `CHANNELS_STATS` asks of one process: a table for each part of the program, or one JSON
/// document. Written when the process ends. Any thread may call it.
class program_report {
 public:
  /// The program counts as one on the C++ interface until it is found to be compiled.
  explicit program_report(const settings& options);

  /// A part that only compiled programs have was used.
  void is_compiled();
  /// Prints the part's table now, or keeps its figures for the document.
  void add(const report_source& part);
  /// Where runs with these settings are added up.
  [[nodiscard]] counted_runs& runs_with(const settings& options);
  void add(counted_runs& to, const statistics& run);
  /// The message of a run that failed, for the document.
  void note_failure(const std::string& message);
  /// The program ends with the error `message`. Writes the document, as no destructor will run.
  void fail(const std::string& message);
  /// A signal ends the program. Writes what there is.
  void end_by(int signal);
  /// Writes what was added since the last time; nothing in a forked child.
  void write();

 private:
  [[nodiscard]] bool has_document() const { return !where_.empty() && where_ != "1"; }
  void note_compiled();
  void write_document();
  void add_runs_to_document();
  [[nodiscard]] std::string tables_of_runs() const;

  std::mutex mutex_;
  std::string where_;
  run_order order_;  ///< of a compiled program
  int process_;
  nlohmann::ordered_json document_;
  std::deque<counted_runs> runs_;
  bool anything_ = false;
};

/// The report of this process for these settings' `statistics`, made at the first call; null if
/// they ask for none. It lives as long as the process.
[[nodiscard]] program_report* report_for(const settings& options);

/// The report of a compiled program, made when the program starts.
[[nodiscard]] program_report& this_program_report();

/// Adds the runs of one runtime to the report that its settings ask for.
class runtime_report {
 public:
  explicit runtime_report(const settings& options);

  /// Adds a run that has ended. `failure`: its message, or "".
  void add(const statistics& run, const std::string& failure);

 private:
  program_report* report_;  ///< null if there is nothing to report
  counted_runs* runs_ = nullptr;
};

}  // namespace channels::detail
