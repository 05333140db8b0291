// libpthread's functions, the clock, and the guards of static variables, for simulated threads; for
// others these are the system's. A lock that is free is taken from the system, so what mutexes hold
// is what they hold elsewhere; only waiting is the simulation's.

#include <dlfcn.h>        // dlsym
#include <linux/futex.h>  // FUTEX_WAIT
#include <pthread.h>      // pthread_t
#include <sched.h>        // sched_yield
#include <sys/syscall.h>  // SYS_futex
#include <time.h>         // timespec
#include <unistd.h>       // syscall

#include <cerrno>   // errno, EAGAIN, EBUSY, ENOSYS, ETIMEDOUT
#include <cstdarg>  // va_list
#include <map>      // map

#include "tests/simulation/simulation.hpp"

using namespace channels::testing::simulation;

namespace {

/// The system's function of this name.
template <class Function>
Function* the_systems(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define SYSTEMS(name) static auto* const systems = the_systems<decltype(name)>(#name)

std::uint64_t ns_of(const timespec& t) {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(t.tv_nsec);
}

int try_to_lock(pthread_mutex_t* m) {
  static auto* const systems =
      the_systems<decltype(pthread_mutex_trylock)>("pthread_mutex_trylock");
  return systems(m);
}
int give_back(pthread_mutex_t* m) {
  static auto* const systems = the_systems<decltype(pthread_mutex_unlock)>("pthread_mutex_unlock");
  return systems(m);
}

int lock(pthread_mutex_t* m, std::uint64_t deadline = no_deadline()) {
  step();
  for (;;) {
    const int result = try_to_lock(m);
    if (result != EBUSY) return result;
    if (is(mutant::open_mutexes) && once_in(4)) return 0;
    if (deadline != no_deadline() && look_at_clock() >= deadline) return ETIMEDOUT;
    (void)wait_for(m, deadline);
  }
}

int unlock(pthread_mutex_t* m) {
  const int result = give_back(m);
  wake_all(m);
  step();
  return result;
}

int wait(pthread_cond_t* c, pthread_mutex_t* m, std::uint64_t deadline) {
  give_back(m);
  wake_all(m);
  const bool woken = once_in(32) || wait_for(c, deadline);  // sometimes without a reason
  const int locked = lock(m);
  return locked != 0 ? locked : woken || deadline == no_deadline() ? 0 : ETIMEDOUT;
}

struct start {
  thread* simulated;
  void* (*function)(void*);
  void* argument;
};
void* begin(void* of) {
  const start s = *static_cast<start*>(of);
  delete static_cast<start*>(of);
  begin_thread(s.simulated);
  return s.function(s.argument);
}

/// Threads that may be joined. Made before anything is simulated, and never destroyed.
std::map<pthread_t, thread*>& joinable() {
  static auto* const all = new std::map<pthread_t, thread*>;
  return *all;
}

}  // namespace

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  if (is_on()) return lock(m);
  SYSTEMS(pthread_mutex_lock);
  return systems(m);
}
int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  step();
  return try_to_lock(m);
}
int pthread_mutex_unlock(pthread_mutex_t* m) noexcept { return is_on() ? unlock(m) : give_back(m); }
int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* until) noexcept {
  if (is_on()) return lock(m, ns_of(*until));
  SYSTEMS(pthread_mutex_timedlock);
  return systems(m, until);
}
int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* until) noexcept {
  if (is_on()) return lock(m, ns_of(*until));
  SYSTEMS(pthread_mutex_clocklock);
  return systems(m, clock, until);
}

int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  if (is_on()) return wait(c, m, no_deadline());
  SYSTEMS(pthread_cond_wait);
  return systems(c, m);
}
int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until) {
  if (is_on()) return wait(c, m, ns_of(*until));
  SYSTEMS(pthread_cond_timedwait);
  return systems(c, m, until);
}
int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                           const timespec* until) {
  if (is_on()) return wait(c, m, ns_of(*until));
  SYSTEMS(pthread_cond_clockwait);
  return systems(c, m, clock, until);
}
int pthread_cond_signal(pthread_cond_t* c) noexcept {
  SYSTEMS(pthread_cond_signal);
  if (!is_on()) return systems(c);
  if (!is(mutant::lost_wakeups) || !once_in(4)) wake_one(c);
  step();
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
  SYSTEMS(pthread_cond_broadcast);
  if (!is_on()) return systems(c);
  if (!is(mutant::lost_wakeups) || !once_in(4)) wake_all(c);
  step();
  return 0;
}

int pthread_create(pthread_t* made, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  SYSTEMS(pthread_create);
  if (!is_on()) return systems(made, attributes, function, argument);
  step();
  thread* const t = add_thread();
  if (t == nullptr) return EAGAIN;
  auto* const s = new start{t, function, argument};
  const int result = systems(made, attributes, begin, s);
  if (result != 0) {
    delete s;
    drop_thread(t);
    return result;
  }
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  if (detached == PTHREAD_CREATE_JOINABLE) joinable()[*made] = t;
  step();
  return 0;
}
int pthread_join(pthread_t of, void** result) {
  SYSTEMS(pthread_join);
  if (is_on()) {
    step();
    const auto found = joinable().find(of);
    if (found != joinable().end()) {
      wait_for_end(found->second);
      joinable().erase(found);
    }
  }
  return systems(of, result);
}
int pthread_detach(pthread_t of) noexcept {
  SYSTEMS(pthread_detach);
  if (is_on()) joinable().erase(of);
  return systems(of);
}

int sched_yield() noexcept {
  SYSTEMS(sched_yield);
  if (!is_on()) return systems();
  yield();
  return 0;
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  SYSTEMS(clock_gettime);
  if (!is_on()) return systems(clock, now);
  const std::uint64_t ns = look_at_clock();
  now->tv_sec = static_cast<time_t>(ns / 1'000'000'000);
  now->tv_nsec = static_cast<long>(ns % 1'000'000'000);
  return 0;
}
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  SYSTEMS(clock_nanosleep);
  if (!is_on()) return systems(clock, flags, time, left);
  const std::uint64_t until =
      (flags & TIMER_ABSTIME) != 0 ? ns_of(*time) : look_at_clock() + ns_of(*time);
  while (look_at_clock() < until) (void)wait_for(time, until);
  return 0;
}
int nanosleep(const timespec* time, timespec* left) {
  SYSTEMS(nanosleep);
  return is_on() ? clock_nanosleep(CLOCK_MONOTONIC, 0, time, left) : systems(time, left);
}

// What std::barrier and other waits for an atomic variable come to.
long syscall(long number, ...) noexcept {
  va_list more;
  va_start(more, number);
  long a[6];
  for (long& argument : a) argument = va_arg(more, long);
  va_end(more);
  SYSTEMS(syscall);
  if (number != SYS_futex || !is_on()) return systems(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  auto* const word = reinterpret_cast<int*>(a[0]);
  step();
  switch (a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != static_cast<int>(a[2])) {
        errno = EAGAIN;
        return -1;
      }
      (void)wait_for(word);
      return 0;
    case FUTEX_WAKE:
      if (a[2] == 1) {
        wake_one(word);
      } else {
        wake_all(word);
      }
      return 0;
    default: errno = ENOSYS; return -1;
  }
}

// The guard of a static variable: its first byte says that it is there, the second that a thread
// makes it. Under other names here: compilers know these functions, and with another type.
int acquire_guard(std::uint64_t* guard) noexcept __asm__("__cxa_guard_acquire");
void release_guard(std::uint64_t* guard) noexcept __asm__("__cxa_guard_release");
void abandon_guard(std::uint64_t* guard) noexcept __asm__("__cxa_guard_abort");

int acquire_guard(std::uint64_t* guard) noexcept {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(guard);
  if (is_on()) {
    step();
    while (bytes[1] != 0) (void)wait_for(guard);
  }
  if (bytes[0] != 0) return 0;
  bytes[1] = 1;
  return 1;
}
void release_guard(std::uint64_t* guard) noexcept {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(guard);
  bytes[1] = 0;
  __atomic_store_n(&bytes[0], 1, __ATOMIC_RELEASE);
  if (is_on()) wake_all(guard);
}
void abandon_guard(std::uint64_t* guard) noexcept {
  reinterpret_cast<std::uint8_t*>(guard)[1] = 0;
  if (is_on()) wake_all(guard);
}

}  // extern "C"
