#include "tests/simulation/simulation.hpp"

#include <semaphore.h>  // sem_t
#include <unistd.h>     // _exit

#include <cstdio>   // fprintf
#include <cstdlib>  // abort
#include <vector>   // vector

namespace channels::testing::simulation {

struct thread {
  sem_t turn{};
  enum class state : std::uint8_t { ready, waits, ended } is = state::ready;
  const volatile void* object = nullptr;  ///< that it waits for
  std::uint64_t deadline = no_deadline();
  bool woken = false;
  std::uint64_t asleep_until = 0;  ///< a step
};

namespace {

/// splitmix64: one word of state, and the same on all systems.
class random_bits {
 public:
  explicit random_bits(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
    return z ^ z >> 31U;
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }

 private:
  std::uint64_t state_;
};

constexpr std::uint64_t beginning_ns = 1'000'000'000;
constexpr std::uint64_t ns_of_a_step = 40;
constexpr std::uint64_t ns_of_a_look = 1000;
/// Steps for which a thread that is put to sleep does not go on: from 4 to 4096.
constexpr unsigned longest_sleep = 12;

/// Only the thread whose turn it is touches it.
struct world {
  explicit world(const options& how)
      : how_(how), bits_(how.seed), switch_once_in_(1U << bits_.below(8)) {}

  options how_;
  random_bits bits_;
  std::uint64_t switch_once_in_;
  std::vector<thread*> threads_;
  summary sum_;
  std::uint64_t now_ = beginning_ns;

  [[noreturn]] void fail(const char* why) {
    std::fprintf(stderr, "simulation, seed %llu: %s after %llu steps\n",
                 static_cast<unsigned long long>(how_.seed), why,
                 static_cast<unsigned long long>(sum_.steps));
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const thread& t = *threads_[i];
      if (t.is == thread::state::ended) continue;
      std::fprintf(stderr, "  thread %zu %s\n", i,
                   t.is == thread::state::ready ? "could go on" : "waits");
    }
    _exit(3);
  }

  bool once_in(std::uint64_t n) { return bits_.below(n) == 0; }

  void count_step(std::uint64_t ns) {
    now_ += ns;
    if (++sum_.steps > how_.most_steps) fail("it goes on for ever");
  }

  /// The thread that goes on. Passes the time if all wait.
  thread* choose() {
    for (;;) {
      thread* chosen[2] = {};  // of those that are awake, and of all
      std::uint64_t seen[2] = {};
      thread* next = nullptr;  // whose deadline is first
      for (thread* const t : threads_) {
        if (t->is == thread::state::waits && t->deadline <= now_) t->is = thread::state::ready;
        if (t->is == thread::state::ready) {
          const bool asleep = t->asleep_until > sum_.steps;
          if (!asleep && once_in(++seen[0])) chosen[0] = t;
          if (once_in(++seen[1])) chosen[1] = t;
        } else if (t->is == thread::state::waits && t->deadline != no_deadline()) {
          if (next == nullptr || t->deadline < next->deadline) next = t;
        }
      }
      if (chosen[0] != nullptr) return chosen[0];
      if (chosen[1] != nullptr) return chosen[1];
      if (next == nullptr) fail("all threads wait for ever");
      now_ = next->deadline;
    }
  }

  void hand_over(thread* from);
};

world* the_world = nullptr;
thread_local thread* this_thread = nullptr;
/// Whether the turn's owner is in this file: what it calls there is no step.
bool inside = false;

class scope_inside {
 public:
  scope_inside() { inside = true; }
  scope_inside(const scope_inside&) = delete;
  scope_inside& operator=(const scope_inside&) = delete;
  ~scope_inside() { inside = false; }
};

void wait_for_turn(thread* t) {
  while (sem_wait(&t->turn) != 0) {
  }
  inside = true;
}

/// Gives the turn to some thread, and waits for the next one if `from` is not null.
void world::hand_over(thread* from) {
  thread* const next = choose();
  if (next == from) return;
  ++sum_.switches;
  std::uint64_t number = 0;
  while (threads_[number] != next) ++number;
  sum_.schedule = (sum_.schedule ^ (sum_.steps * 64 + number)) * 0x9E3779B97F4A7C15U;
  inside = false;
  sem_post(&next->turn);
  if (from != nullptr) wait_for_turn(from);
}

/// Made first in its thread, so destroyed last.
struct thread_end {
  thread_end() = default;
  thread_end(const thread_end&) = delete;
  thread_end& operator=(const thread_end&) = delete;
  ~thread_end() {
    inside = true;  // until the turn is another thread's
    thread* const t = this_thread;
    this_thread = nullptr;
    t->is = thread::state::ended;
    for (thread* const other : the_world->threads_) {
      if (other->is == thread::state::waits && other->object == t) {
        other->is = thread::state::ready;
        other->woken = true;
      }
    }
    the_world->hand_over(nullptr);
  }
};

void maybe_switch() {
  world& w = *the_world;
  if (!w.once_in(w.switch_once_in_)) return;
  if (w.once_in(16))
    this_thread->asleep_until = w.sum_.steps + (4U << w.bits_.below(longest_sleep - 1));
  w.hand_over(this_thread);
}

}  // namespace

summary run(const options& how, const std::function<void()>& body) {
  world w(how);
  thread first;
  sem_init(&first.turn, 0, 0);
  w.threads_.push_back(&first);
  the_world = &w;
  this_thread = &first;
  inside = false;
  const std::uint64_t before = accesses;
  body();
  inside = true;  // the other threads have no turn any more
  this_thread = nullptr;
  w.sum_.ns = w.now_ - beginning_ns;
  w.sum_.accesses = accesses - before;
  return w.sum_;
}

bool is_on() { return this_thread != nullptr && !inside; }

void step() {
  if (!is_on()) return;
  const scope_inside in;
  the_world->count_step(ns_of_a_step);
  maybe_switch();
}

void yield() {
  if (!is_on()) return;
  const scope_inside in;
  the_world->count_step(ns_of_a_step);
  this_thread->asleep_until = the_world->sum_.steps + 1;
  the_world->hand_over(this_thread);
}

bool is(mutant wrong) { return the_world->how_.wrong == wrong; }
bool once_in(unsigned n) {
  const scope_inside in;
  return the_world->once_in(n);
}

bool wait_for(const volatile void* object, std::uint64_t deadline_ns) {
  const scope_inside in;
  world& w = *the_world;
  w.count_step(ns_of_a_step);
  thread& t = *this_thread;
  t.is = thread::state::waits;
  t.object = object;
  t.deadline = deadline_ns;
  t.woken = false;
  w.hand_over(&t);
  t.object = nullptr;
  t.deadline = no_deadline();
  return t.woken;
}

namespace {
void wake(const volatile void* object, bool all) {
  const scope_inside in;
  world& w = *the_world;
  thread* one = nullptr;
  std::uint64_t seen = 0;
  for (thread* const t : w.threads_) {
    if (t->is != thread::state::waits || t->object != object) continue;
    if (all) {
      t->is = thread::state::ready;
      t->woken = true;
    } else if (w.once_in(++seen)) {
      one = t;
    }
  }
  if (one == nullptr) return;
  one->is = thread::state::ready;
  one->woken = true;
}
}  // namespace

void wake_one(const volatile void* object) { wake(object, false); }
void wake_all(const volatile void* object) { wake(object, true); }

std::uint64_t look_at_clock() {
  const scope_inside in;
  world& w = *the_world;
  // Now and then the system does something else for a while.
  w.count_step(w.once_in(256) ? ns_of_a_look << w.bits_.below(10) : ns_of_a_look);
  maybe_switch();
  return w.now_;
}

thread* add_thread() {
  const scope_inside in;
  world& w = *the_world;
  if (w.how_.refused_threads != 0 && w.once_in(w.how_.refused_threads)) {
    ++w.sum_.refused;
    return nullptr;
  }
  auto* const t = new thread;  // for the process
  sem_init(&t->turn, 0, 0);
  w.threads_.push_back(t);
  ++w.sum_.threads;
  return t;
}

void drop_thread(thread* t) {
  const scope_inside in;
  t->is = thread::state::ended;
}

void begin_thread(thread* t) {
  while (sem_wait(&t->turn) != 0) {
  }
  inside = false;
  this_thread = t;
  thread_local thread_end end;
  (void)end;
}

void wait_for_end(thread* t) {
  while (t->is != thread::state::ended) (void)wait_for(t);
}

}  // namespace channels::testing::simulation
