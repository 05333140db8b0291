#include "driver/workplace.hpp"

#include "driver/commands.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

namespace cilk2chan {
namespace {

// The file beside a target that `deliver` writes, for the process that cleans up: both share it.
char* unfinished = nullptr;

// How long programs that the work has started may take to end.
constexpr int patience_in_steps = 500;
constexpr timespec step{0, 10'000'000};

class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() { (void)close(); }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] bool close() {
    const int number = number_;
    number_ = -1;
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

bool write_all(int to, const char* bytes, std::size_t count) {
  while (count != 0) {
    const ssize_t written = ::write(to, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

bool copy(int from, int to) {
  char part[65536];
  for (;;) {
    const ssize_t got = ::read(from, part, sizeof part);
    if (got == 0) return true;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 || !write_all(to, part, static_cast<std::size_t>(got))) return false;
  }
}

bool cannot_write(const std::string& target) {
  return fail("cannot write '" + target + "': " + std::strerror(errno));
}

// Where the symbolic links of a target lead, if there is something.
std::string end_of_links(const std::string& target) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(target, real) ? target : real.str().str();
}

// Writes with `fill` what `target` becomes.
bool put(const std::string& target, mode_t mode, const std::function<bool(int)>& fill) {
  struct stat is{};
  if (::stat(target.c_str(), &is) == 0 && !S_ISREG(is.st_mode)) {
    descriptor to(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    if (to.is_open() && fill(to.number()) && to.close()) return true;
    return cannot_write(target);
  }
  const std::string real = end_of_links(target);
  std::string name = folder_of(real) + "/.cilk2chan-XXXXXX";
  if (name.size() >= PATH_MAX) return fail("the name of '" + target + "' is too long");
  descriptor to(::mkostemp(name.data(), O_CLOEXEC));
  if (!to.is_open()) return cannot_write(target);
  std::strcpy(unfinished, name.c_str());
  if (fill(to.number()) && ::fchmod(to.number(), mode) == 0 && to.close() &&
      ::rename(name.c_str(), real.c_str()) == 0) {
    *unfinished = '\0';
    return true;
  }
  const int why = errno;
  ::unlink(name.c_str());
  *unfinished = '\0';
  errno = why;
  return cannot_write(target);
}

// Ends the programs that the work has left behind, and waits for them: they write into the folder.
void end_the_rest() {
  for (int i = 0; i < patience_in_steps; ++i) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    std::ifstream list("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    bool any = false;
    for (pid_t one = 0; list >> one;) {
      any = true;
      ::kill(one, i + 1 < patience_in_steps ? SIGTERM : SIGKILL);
    }
    if (!any) return;
    ::nanosleep(&step, nullptr);
  }
}

// Waits for the process of the work, and hands signals on to it. Returns its status; `by`: the
// signal that came, or 0.
int wait_for(pid_t work, const sigset_t& watched, int& by) {
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(work, &status, WNOHANG);
    if (ended == work || (ended < 0 && errno != EINTR)) return status;
    const int signal = ::sigwaitinfo(&watched, nullptr);
    if (signal <= 0 || signal == SIGCHLD) continue;
    by = signal;
    ::kill(work, signal);
  }
}

void clean_up(const std::string& folder) {
  if (*unfinished != '\0') ::unlink(unfinished);
  (void)llvm::sys::fs::remove_directories(folder, true);
}

void note_full_disk(const std::string& folder) {
  struct statvfs room{};
  if (::statvfs(folder.c_str(), &room) == 0 && room.f_bavail == 0 && room.f_blocks != 0)
    llvm::errs() << "cilk2chan: note: no room is left for temporary files in '"
                 << llvm::sys::path::parent_path(folder) << "'; set TMPDIR to another folder\n";
}

[[noreturn]] void end_by(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace

int in_workplace(const std::function<int()>& work) {
  const char* const chosen = std::getenv("TMPDIR");
  const std::string around = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  std::string folder = around + "/cilk2chan-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) {
    fail("cannot make a folder for temporary files in '" + around + "': " + std::strerror(errno) +
         "; set TMPDIR to one that can be written to");
    return 1;
  }
  void* const shared =
      ::mmap(nullptr, PATH_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    ::rmdir(folder.c_str());
    fail(std::string("no memory is left: ") + std::strerror(errno));
    return 1;
  }
  unfinished = static_cast<char*>(shared);
  sigset_t watched;
  sigemptyset(&watched);
  // Ignored by whoever called us, it would not end the wait below.
  ::signal(SIGCHLD, SIG_DFL);
  sigaddset(&watched, SIGCHLD);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaddset(&watched, signal);
  }
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  // What the work starts and leaves behind becomes a child of this process.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t process = ::fork();
  if (process == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::setenv("TMPDIR", folder.c_str(), 1);
    const int status = work();
    llvm::outs().flush();
    std::exit(status);
  }
  if (process < 0) {
    fail(std::string("cannot start a process: ") + std::strerror(errno));
    clean_up(folder);
    return 1;
  }
  int by = 0;
  const int status = wait_for(process, watched, by);
  end_the_rest();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) note_full_disk(folder);
  clean_up(folder);
  if (by != 0) end_by(by);
  if (WIFSIGNALED(status)) end_by(WTERMSIG(status));
  return WEXITSTATUS(status);
}

bool deliver(const std::string& made, const std::string& target) {
  const descriptor from(::open(made.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat is{};
  if (!from.is_open() || ::fstat(from.number(), &is) != 0)
    return fail("cannot read '" + made + "': " + std::strerror(errno));
  return put(target, is.st_mode & 07777U, [&](int to) { return copy(from.number(), to); });
}

bool deliver_text(const std::string& text, const std::string& target) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return put(target, 0666 & ~mask, [&](int to) { return write_all(to, text.data(), text.size()); });
}

}  // namespace cilk2chan
