// Fibonacci on channel stacks: the paper's figure 12. The pre-spawn node reads a level of `fib`,
// leaves a frame at that level of `fib.cont`, and writes two elements to the next level of `fib`;
// the post-spawn node adds up what they returned.
#include <channels/graph.hpp>

#include <cstdio>   // printf
#include <cstdlib>  // atoi

struct fib_element {
  int n;
  long* result;
};

struct fib_frame {
  long* result;
  long x;
  long y;
};

int main(int argc, char** argv) try {
  const int n = argc > 1 ? std::atoi(argv[1]) : 24;
  channels::runtime on;
  channels::graph g(on, "fib");
  const auto fib = g.stack<fib_element>("fib");
  const auto cont = g.frames<fib_frame>("fib.cont");
  g.kernel(
      "fib", fib,
      [](auto& lane, fib_element e, auto& children, auto& frames) {
        if (e.n < 2) {
          *e.result = e.n;
          return lane.done();
        }
        if (!children.reserve(2) || !frames.reserve(1)) return lane.retry();
        fib_frame* const f = frames.push({e.result, 0, 0});
        children.push({e.n - 1, &f->x});
        children.push({e.n - 2, &f->y});
        return lane.done();
      },
      channels::up_to(2, fib), cont);
  g.kernel("fib.cont", cont, [](auto& /*lane*/, fib_frame& f) { *f.result = f.x + f.y; });

  long result = 0;
  g.push(fib, {n, &result});
  g.execute();
  g.wait();
  std::printf("fib(%d) = %ld\n", n, result);
} catch (const channels::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
