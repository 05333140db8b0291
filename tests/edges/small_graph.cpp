// The graph in which calls fail: two nodes, a feed by a thread, and what comes out as small.c says
// it.

#include <channels/feed.hpp>
#include <channels/graph.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <thread>

int main() try {
  channels::runtime on;
  channels::graph g(on, "small");
  auto numbers = g.channel<unsigned>("numbers", 16);
  auto doubled = g.channel<unsigned>("doubled", 16);
  const auto count = g.accumulator<std::uint64_t>();
  const auto sum = g.accumulator<std::uint64_t>();
  g.kernel(
      "double", numbers,
      [](auto& lane, unsigned n, auto& out) {
        if (!out.reserve(1)) return lane.retry();
        out.push(2 * n);
        return lane.done();
      },
      channels::up_to(1, doubled));
  g.kernel(
      "add", doubled,
      [](auto&, unsigned n, std::uint64_t& ones, std::uint64_t& all) {
        ++ones;
        all += n;
      },
      count, sum);
  auto in = g.feed(numbers);
  g.execute();
  std::exception_ptr failure;
  std::thread feeder([&] {
    try {
      for (unsigned n = 0; n < 100; ++n) in.push(n);
    } catch (...) {
      failure = std::current_exception();
    }
    in.close();
  });
  feeder.join();
  g.wait();
  if (failure) std::rethrow_exception(failure);
  const auto result = static_cast<unsigned long>(count.value() + 44);
  if (std::printf("%lu %lu\n", result, static_cast<unsigned long>(sum.value())) < 0 ||
      std::fflush(stdout) != 0)
    return 2;
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "channels: %s\n", e.what());
  return 1;
}
