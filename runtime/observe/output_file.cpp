#include "runtime/observe/output_file.hpp"

#include <fcntl.h>       // open
#include <fmt/format.h>  // format
#include <poll.h>        // poll
#include <sys/random.h>  // getrandom
#include <sys/stat.h>    // fstat, lstat
#include <unistd.h>      // write, fsync

#include <algorithm>  // min
#include <cerrno>     // errno
#include <chrono>     // milliseconds
#include <csignal>    // sigset_t
#include <cstdint>    // uint64_t
#include <cstdio>     // rename, fflush
#include <ctime>      // timespec
#include <thread>     // sleep_for
#include <utility>    // exchange

#include "runtime/settings/environment.hpp"
#include "runtime/settings/job.hpp"

namespace channels::detail {
namespace {

using std::chrono::milliseconds;

/// How long a pipe may be without a reader.
constexpr milliseconds patience_for_reader{1000};
/// How long a pipe or a device may take no byte.
constexpr milliseconds patience_for_room{10'000};
/// What a pipe takes at once when it says that it has room.
constexpr std::size_t piece = 4096;
/// How often a temporary file gets another name, if there is one of its name.
constexpr int most_names = 16;

/// A file that is open; -1: none.
class output_descriptor {
 public:
  explicit output_descriptor(int number) : number_(number) {}
  output_descriptor(const output_descriptor&) = delete;
  output_descriptor& operator=(const output_descriptor&) = delete;
  ~output_descriptor() { (void)close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  /// 0, or the error of a write that the system has put off until now.
  int close() {
    if (number_ < 0) return 0;
    // After EINTR Linux has closed it.
    return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR ? 0 : errno;
  }

 private:
  int number_;
};

/// Holds back the signals with which a write into a pipe without a reader, or beyond the limit of a
/// file's size, would end the process: the write fails instead.
class held_signals {
 public:
  held_signals() {
    sigemptyset(&ours_);
    sigaddset(&ours_, SIGPIPE);
    sigaddset(&ours_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &ours_, &before_);
    sigset_t pending;
    sigpending(&pending);
    for (const int one : {SIGPIPE, SIGXFSZ}) {
      if (sigismember(&pending, one) == 1) sigdelset(&ours_, one);
    }
  }
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;
  ~held_signals() {
    constexpr timespec at_once{};
    while (sigtimedwait(&ours_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t ours_{};
  sigset_t before_{};
};

/// Writes all of `text` to a regular file. 0, or an errno.
int write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(to, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      return ENOSPC;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// The same for what may have to wait for a reader.
int write_when_ready(int to, std::string_view text) {
  while (!text.empty()) {
    pollfd ready{to, POLLOUT, 0};
    const int found = ::poll(&ready, 1, static_cast<int>(patience_for_room.count()));
    if (found == 0) return ETIMEDOUT;
    if (found < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    const ssize_t written = ::write(to, text.data(), std::min(text.size(), piece));
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      return ENOSPC;
    } else if (errno != EINTR && errno != EAGAIN) {
      return errno;
    }
  }
  return 0;
}

/// Puts what was written on the disk. Not everything can be synchronised, such as a pipe.
int synchronise(int file) {
  if (::fsync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return 0;
  return errno;
}

/// `file`, open for writing as it is. A pipe gets time to find its reader.
int open_as_it_is(const std::string& file, int flags) {
  const auto deadline = std::chrono::steady_clock::now() + patience_for_reader;
  for (;;) {
    // Not blocking, or a pipe would wait for ever.
    const int opened =
        ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags, 0666);
    if (opened >= 0) return opened;
    if (errno == EINTR) continue;
    struct stat is{};
    const int failure = errno;
    const bool waits = failure == ENXIO && ::stat(file.c_str(), &is) == 0 && S_ISFIFO(is.st_mode);
    errno = failure;
    if (!waits || std::chrono::steady_clock::now() > deadline) return -1;
    std::this_thread::sleep_for(milliseconds(5));
  }
}

/// A temporary file beside the one that it will replace. It goes unless it was renamed.
class pending_file {
 public:
  explicit pending_file(const std::string& file)
      : folder_(file.substr(0, file.rfind('/') + 1)), file_(file) {}
  pending_file(const pending_file&) = delete;
  pending_file& operator=(const pending_file&) = delete;
  ~pending_file() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  /// Makes it, with the mode and owner of `old` if that is not null. 0, or an errno.
  int make(const struct stat* old) {
    for (int i = 0; i < most_names; ++i) {
      std::uint64_t number = 0;
      if (::getrandom(&number, sizeof number, 0) != sizeof number) return errno;
      std::string name = fmt::format("{}.channels-{:016x}", folder_, number);
      made_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                     old != nullptr ? 0600 : 0666);
      if (made_ >= 0) {
        name_ = std::move(name);
        return old != nullptr ? become(*old) : 0;
      }
      if (errno != EEXIST && errno != EINTR) return errno;
    }
    return EEXIST;
  }

  /// 0, or an errno.
  int fill_and_rename(std::string_view text) {
    output_descriptor to(std::exchange(made_, -1));
    if (const int failure = write_all(to.number(), text)) return failure;
    if (const int failure = synchronise(to.number())) return failure;
    if (const int failure = to.close()) return failure;
    if (std::rename(name_.c_str(), file_.c_str()) != 0) return errno;
    name_.clear();
    return 0;
  }

 private:
  int become(const struct stat& old) {
    struct stat is{};
    if (::fstat(made_, &is) != 0) return give_up(errno);
    if ((is.st_uid != old.st_uid || is.st_gid != old.st_gid) &&
        ::fchown(made_, old.st_uid, old.st_gid) != 0)
      return give_up(errno);
    return ::fchmod(made_, old.st_mode & 07777U) == 0 ? 0 : give_up(errno);
  }
  int give_up(int failure) {
    ::close(std::exchange(made_, -1));
    return failure;
  }

  std::string folder_;
  const std::string& file_;
  std::string name_;
  int made_ = -1;
};

/// Writes into a regular file, which is `old` now.
int overwrite(int file, const struct stat& old, std::string_view text) {
  const auto bytes = static_cast<off_t>(text.size());
  if (bytes > old.st_size) {
    const int failure = ::posix_fallocate(file, 0, bytes);
    if (failure != 0 && failure != EOPNOTSUPP && failure != EINVAL) {
      // If this fails, too, the file has zeros at its end.
      return ::ftruncate(file, old.st_size) == 0 ? failure : errno;
    }
  }
  if (const int failure = write_all(file, text)) return failure;
  if (::ftruncate(file, bytes) != 0) return errno;
  return synchronise(file);
}

/// The descriptor of the program's output or errors if that is the file `is`; -1 otherwise.
int stream_of_program(const struct stat& is) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat other{};
    if (::fstat(stream, &other) == 0 && other.st_dev == is.st_dev && other.st_ino == is.st_ino)
      return stream;
  }
  return -1;
}

/// Ranks other than 0 write files of their own: run.json, run.1.json, run.2.json. Not where there
/// is something else than a file.
std::string file_of_rank(const std::string& file) {
  const std::string_view rank = rank_in_job();
  if (rank.empty() || rank == "0" || rank.find_first_not_of("0123456789") != rank.npos) return file;
  struct stat is{};
  if (::stat(file.c_str(), &is) == 0 && !S_ISREG(is.st_mode)) return file;
  const std::size_t name = file.rfind('/') + 1;  // npos + 1 is 0
  const std::size_t dot = file.rfind('.');
  const std::size_t end = dot == file.npos || dot <= name ? file.size() : dot;
  return file.substr(0, end).append(".").append(rank).append(file, end);
}

/// Whether `failure` of a temporary file says only that there can be none of that kind.
bool needs_no_temporary(int failure) {
  return failure == EACCES || failure == EPERM || failure == EROFS;
}

}  // namespace

int write_output(const std::string& file, std::string_view text) {
  const held_signals held;
  struct stat named{};
  const bool link = ::lstat(file.c_str(), &named) == 0 && S_ISLNK(named.st_mode);
  output_descriptor target(open_as_it_is(file, link ? O_CREAT : 0));
  if (!target.is_open()) {
    if (errno != ENOENT || link) return errno;
    pending_file made(file);
    if (const int failure = made.make(nullptr)) return failure;
    return made.fill_and_rename(text);
  }
  struct stat is{};
  if (::fstat(target.number(), &is) != 0) return errno;
  if (const int stream = stream_of_program(is); stream >= 0) {
    std::fflush(stdout);
    return write_when_ready(stream, text);
  }
  if (!S_ISREG(is.st_mode)) {
    const int failure = write_when_ready(target.number(), text);
    return failure != 0 ? failure : target.close();
  }
  if (!link && is.st_nlink == 1) {
    pending_file made(file);
    const int failure = made.make(&is);
    if (failure == 0) return made.fill_and_rename(text);
    if (!needs_no_temporary(failure)) return failure;
  }
  const int failure = overwrite(target.number(), is, text);
  return failure != 0 ? failure : target.close();
}

void write_output_or_warn(std::string_view variable, const std::string& file,
                          std::string_view text) {
  const std::string own = file_of_rank(file);
  if (const int failure = write_output(own, text)) warn_of_file(variable, own, failure);
}

}  // namespace channels::detail
