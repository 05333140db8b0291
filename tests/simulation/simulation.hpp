#pragma once

// The whole runtime on one thread's worth of time: its threads run one at a time, a seed decides at
// each atomic operation, lock and wait which one goes on, and the clock is the simulation's.
//
// The runtime under test is the library as it is built for -fsanitize=thread, so each of its atomic
// operations is a call of a function, and those functions are ours (atomics.cpp). So are those of
// libpthread and of the clock (system.cpp). Only what other libraries do inside is not interrupted.

#include <cstdint>     // fixed-width integers
#include <functional>  // function

namespace channels::testing::simulation {

/// A fault that the simulation must be able to find: what it would do if the runtime had it.
enum class mutant : std::uint8_t {
  none,
  torn_updates,  ///< a fetch_add and its like are a load and a store
  lost_wakeups,  ///< one signal of a condition variable in four is lost
  open_mutexes,  ///< one lock of a mutex in four does not wait for the owner
};

struct options {
  std::uint64_t seed = 1;
  mutant wrong = mutant::none;
  /// One thread in so many cannot be made; 0: all can.
  unsigned refused_threads = 0;
  std::uint64_t most_steps = 200'000'000;
};

/// What happened. The same options and body give the same.
struct summary {
  std::uint64_t steps = 0;     ///< atomic operations, locks and looks at the clock
  std::uint64_t switches = 0;  ///< how often another thread went on
  std::uint64_t threads = 1;
  std::uint64_t refused = 0;   ///< threads that were to be made
  std::uint64_t accesses = 0;  ///< plain ones, by all threads
  std::uint64_t ns = 0;        ///< of the simulation's time
  std::uint64_t schedule = 0;  ///< a hash of who went on when
};

/// Runs `body` as the first simulated thread; the threads that it makes are simulated, too. Once in
/// a process. A run in which all threads wait for ever, or that takes too many steps, ends the
/// process with status 3 and a message.
summary run(const options& how, const std::function<void()>& body);

// For the functions that take the place of the system's.

/// Plain accesses to memory so far.
extern std::uint64_t accesses;

/// The calling thread is simulated, and others may go on.
[[nodiscard]] bool is_on();
/// Another thread may go on here. Does nothing in a thread that is not simulated.
void step();
/// The same, and another one does go on if it can.
void yield();
[[nodiscard]] bool is(mutant wrong);
/// True once in `n` times.
[[nodiscard]] bool once_in(unsigned n);

constexpr std::uint64_t no_deadline() { return ~std::uint64_t{0}; }
/// Waits until `wake` is called for the same object, or this time is reached; true if it was woken.
/// Once in a while it is woken without a reason.
bool wait_for(const volatile void* object, std::uint64_t deadline_ns = no_deadline());
void wake_one(const volatile void* object);
void wake_all(const volatile void* object);

/// The simulation's clock. A look at it takes time.
[[nodiscard]] std::uint64_t look_at_clock();

/// A thread that is about to be made; null if it is to be refused.
struct thread;
[[nodiscard]] thread* add_thread();
/// The system could not make it.
void drop_thread(thread* t);
/// First in a new thread: waits for its turn, and ends it with the thread's last destructor.
void begin_thread(thread* t);
void wait_for_end(thread* t);

}  // namespace channels::testing::simulation
