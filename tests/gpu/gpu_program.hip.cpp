// Compiled and linked for AMD GPUs, and never run, by the preset hip: the tasks of the GPU tests in
// a program that checks its answers. (Clang 15 crashes on GoogleTest's headers when it compiles
// HIP.)

#include "channels/gpu.hpp"

#include <cstdio>  // printf
#include <vector>  // vector

#include "channels/gpu/scheduler/caller.hpp"
#include "gpu_messages.hpp"
#include "gpu_tasks.hpp"
#include "tasks/chain.hpp"
#include "tasks/fib.hpp"
#include "tasks/queens.hpp"
#include "tasks/strassen.hpp"

namespace {

int wrong = 0;

void check(const char* what, long found, long expected) {
  std::printf("%s: %ld\n", what, found);
  if (found != expected) ++wrong;
}

template <class Task>
long call(const typename Task::arguments& arguments) {
  channels::gpu::caller<Task> run;
  return run(arguments);
}

/// Through channels, with the aggregator on the host.
void check_channels(channels::readiness rule) {
  channels::settings s;
  s.device = "hip";
  s.rule = rule;
  channels::runtime on(s);
  check("fib through channels", channels::call<tasks::fib>(on, {15}), 610);
  check("queens through channels", channels::call<tasks::queens>(on, {tasks::empty_board(6), 0}),
        4);
  channels::graph g(on, "fib");
  const auto fib = g.channel<int>("fib", 32768);
  const auto leaves = g.accumulator<long>();
  g.kernel("fib", fib, gpu_tasks::count_leaves{}, channels::up_to(2, fib), leaves);
  g.push(fib, 10);
  g.execute();
  g.wait();
  check("leaves of a graph", leaves.value(), 55);
}

void check_messages() {
  const channels::gpu::places gpus;
  channels::gpu::sliced<std::uint64_t> sums(gpus, 2);
  sums.clear();
  channels::gpu::messenger<std::uint64_t> mail(gpus);
  mail.run(1000, gpu_messages::send_seldom{}, gpu_messages::add_up{sums.view()});
  std::vector<std::uint64_t> found;
  sums.read(found);
  check("messages", static_cast<long>(found[1]),
        static_cast<long>(gpu_messages::sums_of_seldom(1000).second));
}

}  // namespace

int main() {
  try {
    check_channels(channels::readiness::levelized);
    check_channels(channels::readiness::counted);
    check("fib", call<tasks::fib>({20}), 6765);
    check("fib, frames shared", call<gpu_tasks::fib_shared>({20}), 6765);
    check("fib, all stacked", call<gpu_tasks::fib_stacked>({20}), 6765);
    check("queens", call<tasks::queens>({tasks::empty_board(8), 0}), 92);
    check("queens in a loop", call<tasks::loop_queens>(tasks::loop_queens::whole(8)), 92);
    check("chain", call<tasks::chain>({20}), 20);
    channels::gpu::caller<tasks::strassen> product;
    channels::gpu::caller<gpu_tasks::fill> fill;
    product({{nullptr, 0}, {nullptr, 0}, {nullptr, 0}, 0, 16});
    fill({nullptr, nullptr, 0, 0});
    check_messages();
  } catch (const channels::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  return wrong == 0 ? 0 : 1;
}
