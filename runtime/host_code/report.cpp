#include <fmt/format.h>  // format

#include "channels/cilk/device_call.hpp"
#include "channels/cilk/spawn.hpp"
#include "runtime/host_code/strand_clock.hpp"
#include "runtime/host_code/worker_pool.hpp"
#include "runtime/observe/program_report.hpp"

namespace channels::host_code {

namespace {

/// Work and span in nanoseconds; 0 if they were not measured.
struct work_and_span {
  std::uint64_t work_ns = 0;
  std::uint64_t span_ns = 0;
};

/// The counts of all workers.
class host_code_statistics final : public detail::report_source {
 public:
  host_code_statistics(const worker_counts& sum, std::uint32_t workers,
                       const work_and_span& measured, const net_counts* net)
      : sum_(sum), workers_(workers), measured_(measured), net_(net) {}

  [[nodiscard]] bool counted() const override { return true; }
  [[nodiscard]] std::string table() const override {
    std::string text = fmt::format(
        "children given {:>12}     by {} workers; {} more were run as plain calls\n"
        "  taken back   {:>12}     by the worker that gave them\n"
        "  stolen       {:>12}     by another\n"
        "loops halved   {:>12}\n"
        "joins waited   {:>12}\n"
        "idle           {:>12.3f} ms, of all workers, waiting or without work\n",
        sum_.given, workers_, sum_.declined, sum_.taken_back, sum_.taken, sum_.loop_splits,
        sum_.waits, static_cast<double>(sum_.wait_ns) / 1e6);
    if (net_ != nullptr) {
      text +=
          fmt::format("other ranks    {:>12}     children went to them, {} came; {} bytes sent\n",
                      sum_of(net_->given), sum_of(net_->taken), sum_of(net_->bytes));
    }
    if (measured_.span_ns != 0) {
      const auto work = static_cast<double>(measured_.work_ns);
      const auto span = static_cast<double>(measured_.span_ns);
      text += fmt::format("work           {:>12.3f} ms, span {:.3f} ms: parallelism {:.1f}\n",
                          work / 1e6, span / 1e6, work / span);
    }
    return text;
  }
  void add_to(nlohmann::ordered_json& document) const override {
    document["host_code"] = {{"given", +sum_.given},        {"workers", workers_},
                             {"declined", +sum_.declined},  {"taken_back", +sum_.taken_back},
                             {"stolen", +sum_.taken},       {"loops_halved", +sum_.loop_splits},
                             {"joins_waited", +sum_.waits}, {"idle_ns", +sum_.wait_ns}};
    if (net_ != nullptr) {
      document["host_code"]["to_ranks"] = sum_of(net_->given);
      document["host_code"]["from_ranks"] = sum_of(net_->taken);
      document["host_code"]["rank_bytes"] = sum_of(net_->bytes);
      document["host_code"]["away_ns"] = sum_of(net_->away_ns);
    }
    if (measured_.span_ns == 0) return;
    document["host_code"]["work_ns"] = measured_.work_ns;
    document["host_code"]["span_ns"] = measured_.span_ns;
  }

 private:
  static std::uint64_t sum_of(const std::atomic<std::uint64_t>& count) {
    return count.load(std::memory_order_relaxed);
  }

  worker_counts sum_;
  std::uint32_t workers_;
  work_and_span measured_;
  const net_counts* net_;  ///< null without other ranks
};

/// What the main thread measured, which calls this when the program ends. Nothing if other threads
/// spawned, too: nobody knows how their strands depend on the main thread's.
work_and_span measured(std::uint32_t workers) {
  if (!this_clock.is_on() || workers > 1) return {};
  const strand_clock::pause at_the_end(this_clock);
  const detail::tick_scale scale;
  return {scale.duration(this_clock.work()), scale.duration(this_clock.path())};
}

}  // namespace

void worker_pool::report() {
  if (cilk::program_settings().statistics.empty()) return;
  worker_counts sum;
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count; ++i) {
    sum += workers_[i].load(std::memory_order_relaxed)->counted;
  }
  detail::this_program_report().add(host_code_statistics(
      sum, net_counted != nullptr ? count - 1 : count, measured(count), net_counted));
}

}  // namespace channels::host_code

namespace channels::cilk {

void use(const settings& options) { host_code::worker_pool::instance().use(options); }

}  // namespace channels::cilk
