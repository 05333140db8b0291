// Runs a workload of the paper some times in a row, in one setting, and prints JSON. The settings
// come from the environment; --help lists the options.

#include <CLI/CLI.hpp>  // App
#include <chrono>       // steady_clock
#include <cstdio>       // puts, fprintf

#include <nlohmann/json.hpp>  // ordered_json

#include "bench/evaluate/round_trip.hpp"
#include "bench/evaluate/scheduling.hpp"
#include "bench/evaluate/workload.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/error.hpp"

namespace {

struct options {
  std::string workload;
  long size = 0;
  int runs = 3;
  std::string order = "channels";
  std::string policy = "auto";
  std::string predicate = "always";
  bool divergence = false;
  bool round_trip = false;
};

void read(CLI::App& app, options& o) {
  app.add_option("workload", o.workload, "which")
      ->required()
      ->check(CLI::IsMember(evaluate::workload_names()));
  app.add_option("--size", o.size, "n, rows or elements (default: the paper's)")
      ->check(CLI::PositiveNumber);
  app.add_option("--runs", o.runs, "how many")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--order", o.order, "through channels, or depth-first on the stack")
      ->check(CLI::IsMember({"channels", "depth-first"}))
      ->capture_default_str();
  app.add_option("--policy", o.policy, "what is dispatched next; auto: as CHANNELS_POLICY says")
      ->check(CLI::IsMember(evaluate::policy_names()))
      ->capture_default_str();
  app.add_option("--predicate", o.predicate, "when a channel is worth a dispatch")
      ->check(CLI::IsMember(evaluate::predicate_names()))
      ->capture_default_str();
  app.add_flag("--divergence", o.divergence,
               "count the paths that the lanes of wavefronts take; one compute unit");
  app.add_flag("--round-trip", o.round_trip,
               "before and after, measure a cache line's way from one core to another and back");
}

nlohmann::ordered_json measure(const options& o) {
  channels::settings settings = channels::settings::from_environment();
  if (settings.statistics.empty()) settings.statistics = "json";
  if (o.divergence) settings.compute_units = 1;
  const double before = o.round_trip ? evaluate::round_trip() : 0;
  const auto work = evaluate::make_workload(o.workload, o.size);
  const evaluate::schedule how = evaluate::make_schedule(o.policy, o.predicate);
  channels::runtime on(settings);
  channels::cilk::use(settings);
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (int i = 0; i < o.runs; ++i) {
    work->prepare();
    evaluate::divergence seen(settings.wavefront_width);
    nlohmann::ordered_json one;
    const auto start = std::chrono::steady_clock::now();
    if (o.divergence) {
      work->run_observed(on, seen);
    } else if (o.order == "channels") {
      work->run(on, how);
    } else {
      work->run_depth_first();
    }
    one["seconds"] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!work->right()) throw channels::error(o.workload + ": the answer is not the serial one");
    if (o.divergence) {
      seen.close();
      one["divergence"] = {{"wavefronts", seen.waves()},
                           {"divergent", seen.divergent()},
                           {"lanes_active", seen.lanes_active()}};
    }
    if (o.order == "channels") {
      one["statistics"] = nlohmann::ordered_json::parse(on.last_run().json());
    }
    runs.push_back(std::move(one));
  }
  return {{"workload", o.workload},
          {"size", o.size},
          {"round_trip_ns", {before, o.round_trip ? evaluate::round_trip() : 0}},
          {"runs", std::move(runs)}};
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app("Runs a workload of the paper and prints times and statistics as JSON.");
  read(app, o);
  CLI11_PARSE(app, argc, argv);
  try {
    std::puts(measure(o).dump().c_str());
  } catch (const channels::error& e) {
    std::fprintf(stderr, "evaluate_runs: %s\n", e.what());
    return 1;
  }
}
