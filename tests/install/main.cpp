#include <channels/call.hpp>
#include <channels/channel.hpp>
#include <channels/depth_first.hpp>
#include <channels/graph.hpp>
#include <channels/runtime.hpp>
#include <channels/settings.hpp>
#include <cstdio>

namespace {

/// fib as a task, for the templates of the headers to be instantiated.
struct fib {
  static constexpr const char* name = "fib";
  using result_type = long;
  struct arguments {
    int n;
  };
  struct frame {
    long x;
    long y;
  };
  using spawns = channels::task_list<fib>;
  static constexpr std::uint32_t spawn_bound = 2;

  template <class Lane>
  static channels::outcome enter(Lane& lane, const arguments& args) {
    if (args.n < 2) return lane.finish(args.n);
    frame* const f = lane.template open<fib>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<fib>(&f->x, {args.n - 1});
    (void)lane.template spawn<fib>(&f->y, {args.n - 2});
    return lane.sync(1);
  }
  template <class Lane>
  static channels::outcome resume(Lane& lane, frame& f, std::uint32_t) {
    return lane.finish(f.x + f.y);
  }
};

long sum_of_graph(channels::runtime& on) {
  channels::graph g(on, "sum");
  const auto numbers = g.channel<int>("numbers", 64);
  const auto sum = g.accumulator<long>();
  g.kernel("add", numbers, [](auto&, int n, long& into) { into += n; }, sum);
  for (int n = 1; n <= 10; ++n) g.push(numbers, n);
  g.execute();
  g.wait();
  return sum.value();
}

}  // namespace

int main() {
  const auto settings = channels::settings::from_environment();
  channels::runtime on(settings);
  const long of_channels = channels::call<fib>(on, {15});
  const long depth_first = channels::call_depth_first<fib>({15});
  const long sum = sum_of_graph(on);
  std::printf("device %s: fib(15) = %ld, 1 + ... + 10 = %ld\n", settings.device.c_str(),
              of_channels, sum);
  return of_channels == 610 && depth_first == 610 && sum == 55 ? 0 : 1;
}
