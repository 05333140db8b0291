#include "runtime/observe/program_report.hpp"

#include <sys/resource.h>  // getrusage

#include <cerrno>   // errno
#include <cstdint>  // fixed-width integers
#include <cstdio>   // fputs, fflush
#include <fstream>  // ofstream

#include "channels/cilk/device_call.hpp"
#include "runtime/observe/run_document.hpp"
#include "runtime/settings/environment.hpp"

namespace channels::detail {
namespace {

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

}  // namespace

program_report::program_report(const settings& options)
    : where_(options.statistics), start_(std::chrono::steady_clock::now()) {
  if (where_.empty() || where_ == "1") return;
  document_ = document_of_process(options);
  if (where_.starts_with("json:")) where_ = where_.substr(5);
}

void program_report::add(const report_source& part) {
  if (where_.empty() || !part.counted()) return;
  if (where_ == "1") {
    print(part.table());
  } else {
    part.add_to(document_);
    anything_ = true;
  }
}

void program_report::fail(const std::string& message) {
  if (where_.empty() || where_ == "1") return;
  document_["error"] = message;
  anything_ = true;
  write();
}

void program_report::write() {
  if (!anything_) return;
  anything_ = false;
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start_;
  document_["wall_ns"] = static_cast<std::uint64_t>(took.count());
  document_["processor_ns"] = processor_ns();
  const std::string text = text_of(document_);
  if (where_ == "json") {
    print(text);
  } else if (!(std::ofstream(where_) << text)) {
    print("channels: " + cannot_write("CHANNELS_STATS", where_, errno) + "\n");
  }
}

program_report& this_program_report() {
  static program_report r(cilk::program_settings());
  return r;
}

}  // namespace channels::detail
