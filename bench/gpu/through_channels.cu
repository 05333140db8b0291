#include "channels/gpu.hpp"

#include <algorithm>  // max, min, sort
#include <cstdlib>    // getenv
#include <iterator>   // ssize
#include <memory>     // unique_ptr
#include <string>     // string
#include <vector>     // vector

#include "bench/evaluate/scheduling.hpp"
#include "gpu_bench.hpp"
#include "tasks/fib.hpp"
#include "tasks/queens.hpp"
#include "tasks/sort.hpp"
#include "tasks/strassen.hpp"

/// The paper's workloads through channels on the GPU, for scripts/evaluate: their numbers (table 3,
/// figure 19), by compute units (figure 15), by the width of channels and by the elements of a done
/// count (figure 18, section 8.2.1), by how fast the aggregator is and where (table 5), and with
/// other policies and predicates. CHANNELS_BENCH_QUICK=1: small sizes, which show that it works.
namespace {

using channels::aggregator_place;
using channels::readiness;
using channels::gpu::detail::check;

bool quick() { return std::getenv("CHANNELS_BENCH_QUICK") != nullptr; }

using evaluate::schedule;

template <channels::task Task>
typename Task::result_type call(channels::runtime& on, const typename Task::arguments& arguments,
                                const schedule& how) {
  return channels::detail::call_with<Task, channels::detail::code_here>(on, arguments, how.policy,
                                                                        how.worth);
}

/// A workload with its input in the device's memory.
class workload {
 public:
  workload() = default;
  workload(const workload&) = delete;
  workload& operator=(const workload&) = delete;
  virtual ~workload() = default;
  /// Before each run; not timed.
  virtual void prepare() {}
  virtual void run(channels::runtime& on, const schedule& how) = 0;
  /// After the last run.
  [[nodiscard]] virtual bool is_right() const = 0;
};

class fib_workload final : public workload {
 public:
  void run(channels::runtime& on, const schedule& how) override {
    right_ &= call<tasks::fib>(on, {n_}, how) == tasks::fast_fib(n_);
  }
  [[nodiscard]] bool is_right() const override { return right_; }

 private:
  int n_ = quick() ? 11 : 30;
  bool right_ = true;
};

class queens_workload final : public workload {
 public:
  void run(channels::runtime& on, const schedule& how) override {
    right_ &= call<tasks::queens>(on, {tasks::empty_board(rows_), cutoff}, how) ==
              (rows_ == 13 ? 73712 : 10);
  }
  [[nodiscard]] bool is_right() const override { return right_; }

 private:
  static constexpr int cutoff = 4;
  unsigned rows_ = quick() ? 5 : 13;
  bool right_ = true;
};

/// An array of the device and its first contents.
template <class T>
class device_copy {
 public:
  template <class Value>
  device_copy(std::size_t size, Value value)
      : host_(size), device_(channels::gpu::detail::allocate<T>(size * sizeof(T), "an input")) {
    for (std::size_t i = 0; i < size; ++i) host_[i] = value(i);
    restore();
  }
  void restore() {
    check(CHANNELS_GPU(Memcpy)(device_.get(), host_.data(), host_.size() * sizeof(T),
                               CHANNELS_GPU(MemcpyHostToDevice)),
          "copy");
  }
  [[nodiscard]] std::vector<T> now() const {
    std::vector<T> all(host_.size());
    check(CHANNELS_GPU(Memcpy)(all.data(), device_.get(), all.size() * sizeof(T),
                               CHANNELS_GPU(MemcpyDeviceToHost)),
          "copy");
    return all;
  }
  [[nodiscard]] const std::vector<T>& before() const { return host_; }
  [[nodiscard]] T* data() const { return device_.get(); }
  [[nodiscard]] std::size_t size() const { return host_.size(); }

 private:
  std::vector<T> host_;
  std::unique_ptr<T, channels::gpu::detail::free_memory> device_;
};

class sort_workload final : public workload {
 public:
  void prepare() override {
    data_.restore();
    scratch_.restore();
  }
  void run(channels::runtime& on, const schedule& how) override {
    call<tasks::sort>(
        on, {data_.data(), scratch_.data(), static_cast<std::ptrdiff_t>(data_.size()), cutoffs()},
        how);
  }
  [[nodiscard]] bool is_right() const override {
    std::vector<int> sorted = data_.before();
    std::sort(sorted.begin(), sorted.end());
    return data_.now() == sorted;
  }

 private:
  static tasks::sort_cutoffs cutoffs() {
    return quick() ? tasks::sort_cutoffs{100, 90} : tasks::sort_cutoffs{1024, 4096};
  }
  static int mixed(std::size_t i) {
    auto x = static_cast<std::uint32_t>(i);
    x = (x ^ x >> 16U) * 0x45d9f3bU;
    return static_cast<int>(x ^ x >> 16U);
  }
  device_copy<int> data_{quick() ? std::size_t{700} : std::size_t{1'000'000}, &mixed};
  device_copy<int> scratch_{data_.size(), [](std::size_t) { return -1; }};
};

class strassen_workload final : public workload {
 public:
  void prepare() override { c_.restore(); }
  void run(channels::runtime& on, const schedule& how) override {
    call<tasks::strassen>(
        on, {block(a_), block(b_), block(c_), static_cast<std::ptrdiff_t>(size_), cutoff_}, how);
  }
  [[nodiscard]] bool is_right() const override {
    const std::vector<float> c = c_.now();
    for (std::size_t sample = 0; sample < 1000; ++sample) {
      const std::size_t i = sample * 7919 % size_;
      const std::size_t j = sample * 104729 % size_;
      float sum = 0;  // small whole numbers: any order of the sums gives it
      for (std::size_t k = 0; k < size_; ++k)
        sum += a_.before()[i * size_ + k] * b_.before()[k * size_ + j];
      if (c[i * size_ + j] != sum) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] tasks::block block(const device_copy<float>& m) const {
    return {m.data(), static_cast<std::ptrdiff_t>(size_)};
  }
  std::size_t size_ = quick() ? 64 : 512;
  std::ptrdiff_t cutoff_ = 16;
  device_copy<float> a_{size_ * size_,
                        [](std::size_t i) { return static_cast<float>(i * 7 % 13); }};
  device_copy<float> b_{size_ * size_,
                        [](std::size_t i) { return static_cast<float>(i * 5 % 11); }};
  device_copy<float> c_{size_ * size_, [](std::size_t) { return 0.0F; }};  // it is added to
};

constexpr const char* names[] = {"fib", "queens", "sort", "strassen"};

std::unique_ptr<workload> make(std::int64_t which) {
  if (which == 0) return std::make_unique<fib_workload>();
  if (which == 1) return std::make_unique<queens_workload>();
  if (which == 2) return std::make_unique<sort_workload>();
  return std::make_unique<strassen_workload>();
}

constexpr std::uint32_t ample = 1U << 20U;  ///< elements: the default on a GPU

channels::settings through_channels(std::uint32_t width = ample) {
  channels::settings s = gpu_bench::options();
  s.device = channels::gpu::device_name;
  s.capacity = width;
  s.batch = std::min(width, 1U << 18U);
  s.memory = quick() ? std::uint64_t{64} << 20U : std::uint64_t{8} << 30U;
  s.timeout = std::chrono::seconds(20);
  s.statistics = std::string("1");  // g++ 12 sees an overlap in "1" by itself
  return s;
}

/// Counters are of the last run.
void run(benchmark::State& state, std::int64_t which, const channels::settings& s,
         const schedule& how = {}) {
  state.SetLabel(names[which]);
  const std::unique_ptr<workload> w = make(which);
  channels::runtime on(s);
  w->prepare();
  w->run(on, how);  // memory is made
  for (auto _ : state) {
    state.PauseTiming();
    w->prepare();
    channels::gpu::detail::finish_copies();
    state.ResumeTiming();
    w->run(on, how);
  }
  if (!w->is_right()) state.SkipWithError("wrong answer");
  const channels::statistics& r = on.last_run();
  const auto count = [&state](const char* name, auto value) {
    state.counters[name] = static_cast<double>(value);
  };
  const std::uint64_t tasks = std::max<std::uint64_t>(r.work.tasks, 1);
  count("tasks", r.work.tasks);
  count("nodes", r.nodes.size());
  count("wavefronts", r.work.waves);
  count("batches", r.batches);
  count("lanes_active", r.lanes_active());
  count("ns/wavefront", r.work.busy_ns / std::max<std::uint64_t>(r.work.waves, 1));
  count("waiting", r.waiting_share);
  count("yields/1000", 1e3 * static_cast<double>(r.work.yields) / static_cast<double>(tasks));
  count("retries/1000", 1e3 * static_cast<double>(r.work.retries) / static_cast<double>(tasks));
  // The aggregator's share of the run. On the device it decides beside the host's thread.
  count("aggregator", static_cast<double>(r.collect_ns + r.restart_ns + r.decide_ns +
                                          r.dispatch_ns + r.device_decide_ns) /
                          static_cast<double>(std::max<std::uint64_t>(r.run_ns, 1)));
  std::uint32_t widest = 0;
  for (const auto& c : r.channels) widest = std::max(widest, c.largest_capacity);
  count("width", widest);
  count("MB", r.memory_high_water / 1'000'000);
}

void by_workload(benchmark::State& state) { run(state, state.range(0), through_channels()); }
BENCHMARK(by_workload)
    ->Name("workload")
    ->ArgName("w")
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void by_units(benchmark::State& state) {
  channels::settings s = through_channels();
  s.compute_units = static_cast<unsigned>(state.range(1));
  run(state, state.range(0), s);
}
BENCHMARK(by_units)
    ->Name("units")
    ->ArgNames({"w", "units"})
    ->ArgsProduct({{0, 1, 2, 3}, {1, 2, 4, 8, 16, 32, 64, 132}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void by_width(benchmark::State& state) {
  run(state, state.range(0), through_channels(static_cast<std::uint32_t>(state.range(1))));
}
BENCHMARK(by_width)
    ->Name("width")
    ->ArgNames({"w", "width"})
    ->ArgsProduct({{0, 1, 2, 3}, {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// The channels are so narrow that the setting matters: on a GPU a done count is for a 2048th of
/// its channel at least.
void by_done_group(benchmark::State& state) {
  channels::settings s = through_channels(1U << 16U);
  s.done_group = static_cast<std::uint32_t>(state.range(1));
  run(state, state.range(0), s);
}
BENCHMARK(by_done_group)
    ->Name("done_group")
    ->ArgNames({"w", "elements"})
    ->ArgsProduct({{0, 1, 2, 3}, {32, 64, 256, 1024, 4096, 16384}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// Policies, built in and others, with the aggregator on the host; the built-in ones with the
/// aggregator on the device; and predicates that wait for more elements.
const bool scheduled = [] {
  const auto add = [](const char* kind, const std::string& name, const schedule& how,
                      aggregator_place aggregator = aggregator_place::host) {
    for (std::int64_t which = 0; which < std::ssize(names); ++which) {
      benchmark::RegisterBenchmark(
          (std::string(kind) + "/w:" + std::to_string(which) + "/" + name).c_str(),
          [=](benchmark::State& state) {
            channels::settings s = through_channels();
            s.aggregator = aggregator;
            run(state, which, s, how);
          })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
  };
  for (const std::string& name : evaluate::policy_names()) {
    add("policy", name, evaluate::make_schedule(name, "always"));
  }
  for (const std::string& name : evaluate::built_in_policy_names()) {
    add("policy_on_device", name, evaluate::make_schedule(name, "always"),
        aggregator_place::device);
  }
  for (const std::string& name : evaluate::predicate_names()) {
    add("predicate", name, evaluate::make_schedule("auto", name));
  }
  return true;
}();

/// Makes the aggregator so many times slower: the four cores of the paper.
void by_speed(benchmark::State& state) {
  channels::settings s = through_channels();
  s.slow_aggregator = static_cast<double>(state.range(1));
  run(state, state.range(0), s);
}
BENCHMARK(by_speed)
    ->Name("slowed")
    ->ArgNames({"w", "times"})
    ->ArgsProduct({{0, 1, 2, 3}, {1, 2, 4, 8, 16}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void on_the_device(benchmark::State& state) {
  channels::settings s = through_channels();
  s.aggregator = aggregator_place::device;
  run(state, state.range(0), s);
}
BENCHMARK(on_the_device)
    ->Name("aggregator_on_device")
    ->ArgName("w")
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

#if !defined(CHANNELS_GPU_EMULATED)
/// Registers of a lane, and bytes that did not fit them, as the compiler has laid them out.
template <class Kernel>
void of_kernel(benchmark::State& state, const char* name, Kernel* kernel) {
  cudaFuncAttributes a{};
  check(cudaFuncGetAttributes(&a, reinterpret_cast<const void*>(kernel)), name);
  state.counters[name] = a.numRegs;
  state.counters[std::string(name) + "_local_bytes"] = static_cast<double>(a.localSizeBytes);
}
template <class Task>
void registers(benchmark::State& state) {
  using namespace channels::gpu::detail;
  for (auto _ : state) {
    of_kernel(state, "enter", &run_enter<Task, readiness::levelized>);
    of_kernel(state, "resume", &run_resume<Task, readiness::levelized>);
    of_kernel(state, "persistent", &run_tasks<task_set<tasks_of<Task>>>);
  }
}
BENCHMARK(registers<tasks::fib>)->Name("registers/w:0")->Iterations(1);
BENCHMARK(registers<tasks::queens>)->Name("registers/w:1")->Iterations(1);
BENCHMARK(registers<tasks::sort>)->Name("registers/w:2")->Iterations(1);
BENCHMARK(registers<tasks::strassen>)->Name("registers/w:3")->Iterations(1);
#endif

}  // namespace
