// A program that ends, forks or is stopped in the middle of something: what it does is its first
// argument, where it does it the second. Its serial elision says what has to come of it.

#include "tests/edges/actions.hpp"

#include <cilk/cilk.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static const char* where = "";
static std::atomic<int> begun{0};
/// Something that other threads use and the end of the program destroys.
static std::vector<long> table(1000, 1);

static bool at(const char* place) { return std::strcmp(where, place) == 0; }

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static void stolen_child() {
  begun = 1;
  act();
}

static void with_stolen_child() {
  cilk_spawn stolen_child();
  while (begun == 0) std::this_thread::yield();
  cilk_sync;
}

/// Children that use what is destroyed at the end, beside one that acts.
static long busy(int n) {
  if (n < 2) return table[static_cast<std::size_t>(n)];
  long x = cilk_spawn busy(n - 1);
  long y = busy(n - 2);
  cilk_sync;
  return x + y;
}

static void last_of_many(int n) {
  if (n == 0) {
    act();
    return;
  }
  cilk_spawn last_of_many(n - 1);
  (void)busy(30);
  cilk_sync;
}

long task(int n) {
  if (n == 12) act();
  if (n < 2) return n;
  long x = cilk_spawn task(n - 1);
  long y = cilk_spawn task(n - 2);
  cilk_sync;
  return x + y;
}

struct from_start_to_end {
  from_start_to_end() {
    // Before main there are no arguments yet.
    const char* const early = std::getenv("ACT_EARLY");
    if (early == nullptr) return;
    what = early;
    std::printf("fib(15) before main: %ld\n", fib(15));
    act();
    what = "";
  }
  ~from_start_to_end() {
    if (at("destructor")) {
      where = "";
      act();
    }
    say("destroyed");
  }
} whole_life;

int main(int, char** arguments) {
  what = arguments[1];
  where = arguments[2];
  std::atexit([] {
    say("atexit");
    if (at("atexit")) {
      where = "";
      act();
    }
  });
  std::printf("fib(20) = %ld\n", fib(20));
  std::fflush(stdout);
  if (at("main")) act();
  if (at("child")) {
    cilk_spawn act();
    cilk_sync;
  }
  if (at("stolen")) with_stolen_child();
  if (at("many")) last_of_many(3);
  if (at("task")) std::printf("task: %ld\n", task(12));
  if (at("thread")) std::thread([] { (void)fib(15), act(); }).join();
  std::printf("fib(21) = %ld\n", fib(21));
  return 0;
}
