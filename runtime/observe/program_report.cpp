#include "runtime/observe/program_report.hpp"

#include <fmt/format.h>    // format
#include <sys/resource.h>  // getrusage
#include <unistd.h>        // getpid

#include <cstdint>    // fixed-width integers
#include <cstdio>     // fputs, fflush
#include <cstring>    // sigabbrev_np
#include <exception>  // exception
#include <map>        // map
#include <utility>    // pair

#include "runtime/observe/interruption.hpp"
#include "runtime/observe/memory_reserve.hpp"
#include "runtime/observe/output_file.hpp"
#include "runtime/settings/table.hpp"

namespace channels::detail {
namespace {

using steady = std::chrono::steady_clock;

steady::time_point program_start() {
  static const steady::time_point start = steady::now();
  return start;
}

/// Before the constructors of the program.
[[gnu::constructor(101)]] void note_program_start() { (void)program_start(); }

/// Time of all cores that this process took so far, in nanoseconds.
std::uint64_t processor_ns() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto ns = [](const timeval& t) {
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(t.tv_usec) * 1000;
  };
  return ns(used.ru_utime) + ns(used.ru_stime);
}

/// Prints to stderr, after what the program has printed. Uses no stream of C++: it may be called
/// before they are made and after they are destroyed.
void print(const std::string& text) {
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
}

bool same_settings(const settings& a, const settings& b) {
  for (const setting& row : all_settings()) {
    if (row.in_document && row.value(a) != row.value(b)) return false;
  }
  return true;
}

/// The settings of `one` in which not all of `runs` agree, as variables.
std::string what_differs(const std::deque<counted_runs>& runs, const counted_runs& one) {
  std::string text;
  for (const setting& row : all_settings()) {
    bool differs = false;
    for (const counted_runs& other : runs) {
      differs |= row.in_document && row.value(other.options) != row.value(one.options);
    }
    if (differs) text += fmt::format(" {}={}", row.variable, row.show(one.options));
  }
  return text;
}

/// The reports of this process by place and process. Never destroyed: a runtime may end after them.
struct report_registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<program_report>> reports;
};

/// `signal`: what ends the program, or 0.
void write_all(report_registry& r, int signal) {
  const std::lock_guard lock(r.mutex);
  try {
    for (const auto& [where, report] : r.reports) {
      if (signal != 0) {
        report->end_by(signal);
      } else {
        report->write();
      }
    }
  } catch (const std::exception& e) {
    print(std::string("channels: the statistics are lost: ") + e.what() + "\n");
  }
}

report_registry& reports() {
  static report_registry& r = *new report_registry;
  static const struct closing {
    closing() = default;
    closing(const closing&) = delete;
    closing& operator=(const closing&) = delete;
    ~closing() {
      give_way_to_interruption();
      write_all(r, 0);
    }
    at_interruption by_signal{[] { write_all(r, interrupted()); }};
  } at_exit;
  return r;
}

}  // namespace

program_report::program_report(const settings& options)
    : where_(options.statistics), order_(options.order), process_(getpid()) {
  if (!has_document()) return;
  const memory_reserve reserve;
  document_ = document_of_process(options);
  if (const std::string file = file_of_statistics(where_); !file.empty()) where_ = file;
}

void program_report::is_compiled() {
  const std::lock_guard lock(mutex_);
  note_compiled();
}

/// The caller holds the mutex.
void program_report::note_compiled() {
  if (!has_document()) return;
  const memory_reserve reserve;
  document_["form"] = "compiled";
  document_["order"] = name_of(order_);
}

void program_report::add(const report_source& part) {
  const std::lock_guard lock(mutex_);
  note_compiled();
  if (where_.empty() || !part.counted()) return;
  if (where_ == "1") {
    print(part.table());
  } else {
    const memory_reserve reserve;
    part.add_to(document_);
    anything_ = true;
  }
}

counted_runs& program_report::runs_with(const settings& options) {
  const std::lock_guard lock(mutex_);
  for (counted_runs& known : runs_) {
    if (same_settings(known.options, options)) return known;
  }
  return runs_.emplace_back(options);
}

void program_report::add(counted_runs& to, const statistics& run) {
  const std::lock_guard lock(mutex_);
  to.sum += run;
  anything_ = true;
}

void program_report::note_failure(const std::string& message) {
  const std::lock_guard lock(mutex_);
  const memory_reserve reserve;
  if (where_ != "1") document_["error"] = message;
}

void program_report::fail(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (!has_document()) return;
  const memory_reserve reserve;
  note_compiled();
  document_["error"] = message;
  write_document();
}

void program_report::end_by(int signal) {
  {
    const std::lock_guard lock(mutex_);
    if (has_document()) {
      const memory_reserve reserve;
      document_["error"] = fmt::format("ended by SIG{}", sigabbrev_np(signal));
      anything_ = true;
    }
  }
  write();
}

void program_report::write() {
  const std::lock_guard lock(mutex_);
  if (!anything_ || process_ != getpid()) return;
  anything_ = false;
  if (where_ == "1") {
    print(tables_of_runs());
  } else {
    const memory_reserve reserve;
    write_document();
  }
}

std::string program_report::tables_of_runs() const {
  std::string text;
  for (const counted_runs& one : runs_) {
    if (one.sum.runs == 0) continue;
    const std::string differs = what_differs(runs_, one);
    if (!differs.empty()) text += fmt::format("runtime       {}\n", differs);
    text += one.sum.table();
  }
  return text;
}

void program_report::add_runs_to_document() {
  std::deque<const counted_runs*> that_ran;
  for (const counted_runs& one : runs_) {
    if (one.sum.runs != 0) that_ran.push_back(&one);
  }
  if (that_ran.size() == 1) add_to_document(document_, that_ran.front()->sum);
  if (that_ran.size() < 2) return;
  nlohmann::ordered_json& list = document_["runtimes"] = nlohmann::ordered_json::array();
  for (const counted_runs* const one : that_ran) {
    nlohmann::ordered_json& entry = list.emplace_back();
    add_settings_to(entry, one->options);
    add_to_document(entry, one->sum);
  }
}

void program_report::write_document() {
  anything_ = false;
  add_runs_to_document();
  const std::chrono::nanoseconds took = steady::now() - program_start();
  document_["wall_ns"] = static_cast<std::uint64_t>(took.count());
  document_["processor_ns"] = processor_ns();
  const std::string text = text_of(document_);
  if (where_ == "json") {
    print(text);
  } else {
    write_output_or_warn("CHANNELS_STATS", where_, text);
  }
}

program_report* report_for(const settings& options) {
  if (options.statistics.empty()) return nullptr;
  report_registry& all = reports();
  const std::lock_guard lock(all.mutex);
  std::unique_ptr<program_report>& known = all.reports[options.statistics];
  if (known == nullptr) known = std::make_unique<program_report>(options);
  return known.get();
}

runtime_report::runtime_report(const settings& options) : report_(report_for(options)) {
  if (report_ != nullptr) runs_ = &report_->runs_with(options);
}

void runtime_report::add(const statistics& run, const std::string& failure) {
  if (report_ == nullptr) return;
  report_->add(*runs_, run);
  if (!failure.empty()) report_->note_failure(failure);
}

}  // namespace channels::detail
