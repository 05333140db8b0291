#include "runtime/observe/interruption.hpp"

#include <pthread.h>    // pthread_atfork, pthread_sigmask
#include <semaphore.h>  // sem_post: a signal's handler may call it
#include <unistd.h>     // getpid, pause

#include <algorithm>     // find
#include <array>         // array
#include <atomic>        // atomic
#include <cerrno>        // errno
#include <csignal>       // sigaction
#include <cstdio>        // fprintf
#include <exception>     // exception
#include <mutex>         // mutex
#include <system_error>  // system_error
#include <thread>        // thread
#include <utility>       // exchange, move
#include <vector>        // vector

namespace channels::detail {
namespace {

constexpr std::array signals{SIGINT, SIGTERM};

/// What a handler touches: no locks, no memory that comes or goes.
std::atomic<int> caught{0};
sem_t wake;

void restore_default(int signal) {
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
}

void on_signal(int signal) {
  const int before = errno;
  int none = 0;
  if (caught.compare_exchange_strong(none, signal)) {
    sem_post(&wake);
  } else {
    restore_default(signal);
    raise(signal);
  }
  errno = before;
}

bool is_ours(int signal) {
  struct sigaction now{};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == on_signal;
}

[[noreturn]] void wait_for_end() {
  for (;;) ::pause();
}

/// What is to be called. Never destroyed: a signal may come at any time.
struct calls {
  std::mutex mutex;
  std::vector<std::function<void()>*> all;
  bool watched = false;
};

calls& registered() {
  static calls& r = *new calls;
  return r;
}

void call_all() {
  calls& c = registered();
  const std::lock_guard lock(c.mutex);
  // NOLINTNEXTLINE(modernize-loop-convert): the newest first
  for (auto one = c.all.rbegin(); one != c.all.rend(); ++one) try {
      (**one)();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "channels: a signal ends the program, and a file is lost: %s\n",
                   e.what());
    }
}

/// The thread that writes when a signal comes.
void watch() {
  while (sem_wait(&wake) != 0) {
  }
  const int signal = caught.load();
  call_all();
  restore_default(signal);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  kill(getpid(), signal);
  wait_for_end();
}

/// Makes the thread, which gets no signals itself, and then the handlers. Without the thread a
/// signal does what it does by default.
void begin_watching() {
  if (sem_init(&wake, 0, 0) != 0) return;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool made = true;
  try {
    std::thread(watch).detach();
  } catch (const std::system_error&) {
    made = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!made) return;
  for (const int signal : signals) {
    struct sigaction now{};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours{};
    ours.sa_handler = on_signal;
    ours.sa_flags = SA_RESTART;
    sigfillset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
  }
  pthread_atfork([] { registered().mutex.lock(); }, [] { registered().mutex.unlock(); },
                 [] {
                   // The thread is not here.
                   for (const int signal : signals) {
                     if (is_ours(signal)) restore_default(signal);
                   }
                   caught = 0;
                   registered().mutex.unlock();
                 });
}

}  // namespace

at_interruption::at_interruption(std::function<void()> write) : write_(std::move(write)) {
  calls& c = registered();
  const std::lock_guard lock(c.mutex);
  c.all.push_back(&write_);
  if (!std::exchange(c.watched, true)) begin_watching();
}

at_interruption::~at_interruption() {
  calls& c = registered();
  const std::lock_guard lock(c.mutex);
  c.all.erase(std::find(c.all.begin(), c.all.end(), &write_));
}

int interrupted() { return caught.load(std::memory_order_relaxed); }

void give_way_to_interruption() {
  if (interrupted() != 0) wait_for_end();
}

}  // namespace channels::detail
