// A program as cilk2chan compiles them, for the tests of what can be seen of its runs: which of its
// parts runs is its first argument.

#include <cstdlib>      // atoi
#include <iostream>     // cout
#include <string_view>  // string_view
#include <thread>       // sleep_for

#include "channels/cilk/tasks.hpp"
#include "tests/host_code/programs.h"
#include "tests/support/tasks.hpp"

namespace {

/// One child after the other to depth n, each of which takes 20 milliseconds.
struct slow {
  static constexpr const char* name = "slow";
  using result_type = long;
  struct arguments {
    int n;
  };
  struct frame {
    long below;
  };
  using spawns = channels::task_list<slow>;
  static constexpr std::uint32_t spawn_bound = 1;

  template <class Lane>
  static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.n == 0) return lane.finish(0L);
    frame* const f = lane.template open<slow>(1);
    if (f == nullptr) return lane.retry();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    (void)lane.template spawn<slow>(&f->below, {a.n - 1});
    return lane.sync(1);
  }
  template <class Lane>
  static channels::outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.below + 1);
  }
};

long run(std::string_view what, int n) {
  using channels::cilk::invoke;
  if (what == "fib") return invoke<channels::testing::fib>({n});
  if (what == "fibs") {  // a program of several runs
    return invoke<channels::testing::fib>({n}) + invoke<channels::testing::fib>({n - 1});
  }
  if (what == "tree") return invoke<channels::testing::tree>({n, 9});
  if (what == "slow") return invoke<slow>({n});
  if (what == "host") return fib(n);  // host code
  if (what == "both") return fib(n) + invoke<channels::testing::fib>({n});
  return -1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  std::cout << run(arguments[1], std::atoi(arguments[2])) << "\n";
  return 0;
}
