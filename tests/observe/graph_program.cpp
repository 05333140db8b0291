// A program on the graph API that says nothing of statistics: what it runs is its first argument.

#include <channels/graph.hpp>
#include <channels/net/threads.hpp>

#include <atomic>       // atomic
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

/// Three places that are threads; each sends `n` elements to the next, and `2 * n` to the one
/// after. Returns how many arrived.
long send_around(const channels::settings& options, int n) {
  std::atomic<long> all = 0;
  const channels::thread_network net(3);
  channels::at_all_places(net, [&](std::unique_ptr<channels::transport> by) {
    const channels::world w(std::move(by));
    channels::runtime on(options);
    channels::graph g(on, w, "around");
    const auto arrive = g.channel<std::uint32_t>("arrive", 1024);
    const auto sum = g.accumulator<long>();
    g.kernel("count", arrive, [](auto&, std::uint32_t, long& arrived) { arrived += 1; }, sum);
    const auto far = g.far(arrive, channels::owner([](std::uint32_t place) { return place; }));
    for (int i = 0; i < 3 * n; ++i) g.push(far, (w.here() + (i < n ? 1 : 2)) % w.places());
    g.execute();
    g.wait();
    all += sum.value();
  });
  return all;
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
  if (what == "places") {
    options.compute_units = 1;
    return send_around(options, n);
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
