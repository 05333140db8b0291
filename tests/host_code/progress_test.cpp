// The progress line of host code: it is there while children are given and not joined, and gone
// before the worker that joins the last child goes on.

#include <fcntl.h>  // open
#include <gtest/gtest.h>
#include <pty.h>     // openpty
#include <unistd.h>  // dup, dup2, read

#include <atomic>  // atomic
#include <chrono>  // milliseconds
#include <string>  // string
#include <thread>  // jthread
#include <vector>  // vector

#include "runtime/host_code/progress.hpp"

namespace channels::host_code::testing {
namespace {

/// While it lives, stderr is a terminal of its own.
class terminal {
 public:
  terminal() {
    int theirs = -1;
    EXPECT_EQ(openpty(&ours_, &theirs, nullptr, nullptr, nullptr), 0);
    stderr_ = dup(STDERR_FILENO);
    dup2(theirs, STDERR_FILENO);
    ::close(theirs);
    reader_ = std::jthread([this] {
      char part[512];
      for (;;) {
        const auto n = ::read(ours_, part, sizeof part);
        if (n <= 0) return;
        shown_.append(part, static_cast<std::size_t>(n));
      }
    });
  }
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;
  ~terminal() {
    if (stderr_ >= 0) (void)take();
  }
  /// Returns all that was written to it. Stderr is what it was before.
  std::string take() {
    dup2(stderr_, STDERR_FILENO);  // closes the terminal's end, which ends the reader
    ::close(stderr_);
    stderr_ = -1;
    reader_.join();
    ::close(ours_);
    return shown_;
  }

 private:
  int ours_ = -1;
  int stderr_ = -1;
  std::string shown_;
  std::jthread reader_;
};

constexpr auto with_line = std::chrono::milliseconds(1200);

TEST(host_code_progress, shows_while_children_are_about_and_goes_with_the_last) {
  terminal there;
  code_watch watch;
  watch.begin([] { return detail::code_progress{1234, 1, 2}; });
  watch.gave();
  watch.gave();
  std::this_thread::sleep_for(with_line);
  watch.joined(1);
  watch.joined(1);
  (void)!::write(STDERR_FILENO, "serial", 6);
  std::this_thread::sleep_for(with_line / 2);
  (void)!::write(STDERR_FILENO, "end", 3);
  watch.end();
  const std::string shown = there.take();
  EXPECT_NE(shown.find("host code: 1.2 k children given, "), std::string::npos) << shown;
  EXPECT_NE(shown.find("1 of 2 workers at work"), std::string::npos) << shown;
  EXPECT_NE(shown.find("\r\x1b[Kserialend"), std::string::npos)
      << "it came back, or had not gone: " << shown;
}

TEST(host_code_progress, many_give_and_join) {
  terminal there;
  code_watch watch;
  std::atomic<std::uint64_t> given{0};
  watch.begin([&] { return detail::code_progress{given.load(), 4, 4}; });
  {
    std::vector<std::jthread> workers;
    for (int w = 0; w < 4; ++w) {
      workers.emplace_back([&] {
        const auto end = std::chrono::steady_clock::now() + with_line;
        while (std::chrono::steady_clock::now() < end) {
          watch.gave();
          ++given;
          watch.gave();
          ++given;
          watch.joined(2);
        }
      });
    }
  }
  watch.end();
  const std::string shown = there.take();
  EXPECT_NE(shown.find("4 of 4 workers"), std::string::npos) << shown;
  EXPECT_TRUE(shown.ends_with("\r\x1b[K")) << shown;
}

TEST(host_code_progress, is_not_there_without_a_terminal) {
  const int before = dup(STDERR_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  dup2(nowhere, STDERR_FILENO);
  code_watch watch;
  std::atomic<bool> looked{false};
  watch.begin([&] {
    looked = true;
    return detail::code_progress{};
  });
  watch.gave();
  std::this_thread::sleep_for(with_line / 2);
  watch.joined(1);
  watch.end();
  dup2(before, STDERR_FILENO);
  ::close(nowhere);
  ::close(before);
  EXPECT_FALSE(looked);
}

}  // namespace
}  // namespace channels::host_code::testing
