// Fibonacci as a channel-flow graph: the paper's figure 6. One channel, one kernel node that
// consumes it and writes to it, and a result that all lanes add to. There is no sync: fib(n) counts
// the leaves of the tree.
#include <channels/graph.hpp>

#include <cstdio>   // printf
#include <cstdlib>  // atoi

struct fib_element {
  int value;
};

int main(int argc, char** argv) try {
  const int n = argc > 1 ? std::atoi(argv[1]) : 24;
  channels::runtime on;
  channels::graph g(on, "fib");
  const auto fib = g.channel<fib_element>("fib", 32768);
  const auto result = g.accumulator<long>();
  g.kernel(
      "fib", fib,
      [](auto& lane, fib_element e, auto& children, long& sum) {
        if (e.value <= 2) {
          sum += 1;
        } else {
          if (!children.reserve(2)) return lane.retry();
          children.push({e.value - 1});
          children.push({e.value - 2});
        }
        return lane.done();
      },
      channels::up_to(2, fib), result);
  g.push(fib, {n});
  g.execute();
  g.wait();
  std::printf("fib(%d) = %ld\n", n, result.value());
} catch (const channels::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
