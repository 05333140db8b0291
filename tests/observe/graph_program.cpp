// A program on the graph API that says nothing of statistics: what it runs is its first argument.

#include <channels/graph.hpp>

#include <cstdio>       // printf
#include <cstdlib>      // atoi
#include <string_view>  // string_view

namespace {

/// The leaves of the tree of fib(n).
long fib(channels::runtime& on, int n, bool gives_up = false) {
  channels::graph g(on, "fib");
  const auto numbers = g.channel<int>("numbers", 4096);
  const auto sum = g.accumulator<long>();
  g.kernel(
      "split", numbers,
      [gives_up](auto& lane, int value, auto& children, long& leaves) {
        if (gives_up) throw channels::error("split gives up");
        if (value <= 2) {
          leaves += 1;
          return lane.done();
        }
        if (!children.reserve(2)) return lane.retry();
        children.push(value - 1);
        children.push(value - 2);
        return lane.done();
      },
      channels::up_to(2, numbers), sum);
  g.push(numbers, n);
  g.execute();
  g.wait();
  return sum.value();
}

long run(std::string_view what, int n) {
  channels::settings options = channels::settings::from_environment();
  if (what == "one") {
    channels::runtime on;
    return fib(on, n);
  }
  if (what == "runs") {  // two runs, and a runtime of the same settings
    channels::runtime on;
    const long first = fib(on, n) + fib(on, n);
    channels::runtime again;
    return first + fib(again, n);
  }
  if (what == "runtimes") {  // of one unit and of two
    options.compute_units = 1;
    channels::runtime one(options);
    options.compute_units = 2;
    channels::runtime two(options);
    return fib(one, n) + fib(two, n) + fib(two, n);
  }
  if (what == "fails") {
    channels::runtime on;
    try {
      return fib(on, n, true);
    } catch (const channels::error&) {
      return -1;
    }
  }
  return -2;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  std::printf("%ld\n", run(arguments[1], std::atoi(arguments[2])));
  return 0;
}
