#include "runtime/observe/progress_line.hpp"

#include <fmt/format.h>  // format
#include <sys/ioctl.h>   // TIOCGWINSZ
#include <unistd.h>      // isatty, write

#include <algorithm>  // min

namespace channels::detail {
namespace {

/// Runs that are over by then show nothing.
constexpr std::chrono::milliseconds before_first{500};
/// What a person can read.
constexpr std::chrono::milliseconds between{250};

std::string with_unit(double n, double step, const char* units) {
  std::size_t unit = 0;
  for (; n >= step && units[unit + 1] != '\0'; ++unit) n /= step;
  return unit == 0 ? fmt::format("{:.0f}", n) : fmt::format("{:.1f} {}", n, units[unit]);
}

std::string bytes(std::uint64_t n) {
  return with_unit(static_cast<double>(n), 1024, " KMGT") + (n < 1024 ? " B" : "iB");
}

/// Columns of the terminal.
std::size_t width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

void put(const std::string& text) {
  // A line that gets lost is no reason to stop a run.
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string progress_text(const std::string& name, const run_progress& far, double rate,
                          std::uint64_t memory, double seconds) {
  return fmt::format("{}: {} tasks, {}/s, level {}, {} of {}, {} yields, {:.1f} s", name,
                     with_unit(static_cast<double>(far.tasks), 1000, " kMGT"),
                     with_unit(rate, 1000, " kMGT"), far.level < 0 ? 0 : far.level,
                     bytes(far.memory), bytes(memory),
                     with_unit(static_cast<double>(far.yields), 1000, " kMGT"), seconds);
}

void progress_line::begin(std::string name, std::uint64_t memory, bool wanted) {
  on_ = wanted && isatty(STDERR_FILENO) == 1;
  drawn_ = false;
  name_ = std::move(name);
  memory_ = memory;
  start_ = shown_ = clock::now();
  tasks_shown_ = 0;
}

void progress_line::show(const run_progress& far) {
  if (!on_) return;
  const auto now = clock::now();
  if (now - start_ < before_first || now - shown_ < between) return;
  const double since = std::chrono::duration<double>(now - shown_).count();
  const double rate = static_cast<double>(far.tasks - std::min(tasks_shown_, far.tasks)) / since;
  const std::string text =
      progress_text(name_, far, rate, memory_, std::chrono::duration<double>(now - start_).count());
  shown_ = now;
  tasks_shown_ = far.tasks;
  drawn_ = true;
  // A line that wraps could not be taken back.
  put("\r" + text.substr(0, width() - 1) + "\x1b[K");
}

void progress_line::end() {
  if (drawn_) put("\r\x1b[K");
  drawn_ = on_ = false;
}

}  // namespace channels::detail
