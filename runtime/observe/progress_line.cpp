#include "runtime/observe/progress_line.hpp"

#include <fmt/format.h>  // format
#include <sys/ioctl.h>   // TIOCGWINSZ
#include <unistd.h>      // isatty, write

#include <algorithm>  // min

namespace channels::detail {
namespace {

/// Runs that end before this show nothing.
constexpr std::chrono::milliseconds before_first{500};
/// The time between two lines: a person can read each.
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
  // A run goes on if its progress line cannot be written.
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

constexpr const char* thousands = " kMGT";

std::string number(std::uint64_t n) { return with_unit(static_cast<double>(n), 1000, thousands); }

}  // namespace

void progress_line::begin(std::string name, std::uint64_t memory, bool wanted) {
  on_ = wanted && isatty(STDERR_FILENO) == 1;
  drawn_ = false;
  name_ = std::move(name);
  memory_ = memory;
  start_ = shown_ = clock::now();
  count_shown_ = 0;
}

void progress_line::show(const run_progress& far) {
  const auto now = clock::now();
  if (!is_due(now)) return;
  draw(now, far.tasks, "tasks",
       fmt::format("level {}, {} of {}, {} yields", far.level < 0 ? 0 : far.level,
                   bytes(far.memory), bytes(memory_), number(far.yields)));
}

void progress_line::show(const call_progress& far) {
  const auto now = clock::now();
  if (!is_due(now)) return;
  draw(now, far.tasks, "tasks",
       fmt::format("{} of {} wavefronts, {}, {} yields", far.working, far.wavefronts,
                   bytes(far.memory), number(far.yields)));
}

void progress_line::show(const code_progress& far) {
  const auto now = clock::now();
  if (!is_due(now)) return;
  draw(now, far.given, "children given",
       fmt::format("{} of {} workers at work", far.working, far.workers));
}

bool progress_line::is_due(clock::time_point now) const {
  return on_ && now - start_ >= before_first && now - shown_ >= between;
}

void progress_line::draw(clock::time_point now, std::uint64_t count, const char* what,
                         const std::string& where) {
  const double since = std::chrono::duration<double>(now - shown_).count();
  const auto more = static_cast<double>(count - std::min(count_shown_, count));
  const std::string text = fmt::format("{}: {} {}, {}/s, {}, {:.1f} s", name_, number(count), what,
                                       with_unit(more / since, 1000, thousands), where,
                                       std::chrono::duration<double>(now - start_).count());
  shown_ = now;
  count_shown_ = count;
  drawn_ = true;
  // A line that wraps could not be erased.
  put("\r" + text.substr(0, width() - 1) + "\x1b[K");
}

void progress_line::hide() {
  if (drawn_) put("\r\x1b[K");
  drawn_ = false;
}

void progress_line::end() {
  hide();
  on_ = false;
}

}  // namespace channels::detail
