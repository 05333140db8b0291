#include "runtime/api/run_watch.hpp"

#include "runtime/observe/dot.hpp"

namespace channels::detail {
namespace {

/// How often the file of `settings::graph` is written while a run goes on.
constexpr std::chrono::milliseconds draw_again{1000};

/// How long that waits for the aggregator.
constexpr std::chrono::milliseconds patience{50};

}  // namespace

void run_watch::begin(const aggregator& run, const graph_model& model) {
  line_.begin(model.name, options_.memory, options_.progress);
  seen_ = run.progress();
  still_.restart();
  drawn_ = clock::now();
}

void run_watch::show(const aggregator& run) {
  line_.show(run.how_far());
  const auto now = clock::now();
  if (options_.graph.empty() || now - drawn_ < draw_again) return;
  drawn_ = now;
  write_graph(options_.graph, run.dot(patience));
}

bool run_watch::is_stuck(const aggregator& run) {
  const std::uint64_t progress = run.progress();
  if (progress == seen_) return still_.look() > options_.timeout;
  seen_ = progress;
  still_.restart();
  return false;
}

}  // namespace channels::detail
