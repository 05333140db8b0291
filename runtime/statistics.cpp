#include "channels/statistics.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // max, find_if

#include <nlohmann/json.hpp>  // json

namespace channels {
namespace {

double ms(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

statistics& statistics::operator+=(const statistics& o) {
  const auto had = channels.size();
  timed |= o.timed;
  collect_ns += o.collect_ns;
  restart_ns += o.restart_ns;
  decide_ns += o.decide_ns;
  dispatch_ns += o.dispatch_ns;
  lent_ns += o.lent_ns;
  idle_ns += o.idle_ns;
  // Weighted by the time that each share is a share of.
  const auto whole = static_cast<double>(run_ns + o.run_ns);
  if (whole > 0) {
    waiting_share = (waiting_share * static_cast<double>(run_ns) +
                     o.waiting_share * static_cast<double>(o.run_ns)) /
                    whole;
  }
  run_ns += o.run_ns;
  batches += o.batches;
  batch_elements += o.batch_elements;
  largest_batch = std::max(largest_batch, o.largest_batch);
  restarts += o.restarts;
  channels_made += o.channels_made;
  memory_high_water = std::max(memory_high_water, o.memory_high_water);
  memory_limit = std::max(memory_limit, o.memory_limit);
  deepest_level = std::max(deepest_level, o.deepest_level);
  compute_units = std::max(compute_units, o.compute_units);
  width = std::max(width, o.width);
  work += o.work;
  for (const channel_statistics& c : o.channels) {
    const auto end = channels.begin() + static_cast<std::ptrdiff_t>(had);
    const auto mine =
        std::find_if(channels.begin(), end, [&](const auto& m) { return m.name == c.name; });
    if (mine == end) {
      channels.push_back(c);
      continue;
    }
    mine->levels = std::max(mine->levels, c.levels);
    mine->most_in_level = std::max(mine->most_in_level, c.most_in_level);
    mine->largest_capacity = std::max(mine->largest_capacity, c.largest_capacity);
    mine->elements += c.elements;
  }
  return *this;
}

double statistics::lanes_active() const { return share(work.lanes, work.waves * width); }

std::string statistics::table() const {
  std::string t = fmt::format("run            {:>12.3f} ms, {} compute units, wavefronts of {}\n",
                              ms(run_ns), compute_units, width);
  t += fmt::format("tasks          {:>12}     {:.1f} M/s\n", work.tasks,
                   share(work.tasks, run_ns) * 1e3);
  t += fmt::format("continuations  {:>12}\n", work.resumed);
  t += fmt::format("batches        {:>12}     {:.1f} elements on average, {} at most\n", batches,
                   share(batch_elements, batches), largest_batch);
  t += fmt::format("lanes active   {:>12.1f} %\n", 100 * lanes_active());
  t += fmt::format("retries        {:>12}     elements that found no room before they began\n",
                   work.retries);
  t += fmt::format("yields         {:>12}     frames that stopped at a spawn; {} restarts\n",
                   work.yields, restarts);
  t += fmt::format("blocks         {:>12}     reservations, {:.4f} for each task\n", work.blocks,
                   share(work.blocks, work.tasks));
  t += fmt::format("join atomics   {:>12}     {:.4f} for each task\n", work.join_atomics,
                   share(work.join_atomics, work.tasks));
  t += fmt::format("memory         {:>12} bytes at most, of {}; deepest level {}\n",
                   memory_high_water, memory_limit, deepest_level);
  if (timed) {
    t += fmt::format(
        "aggregator     collect {:.3f} ms, restart {:.3f}, decide {:.3f}, dispatch {:.3f}, lent "
        "{:.3f}, "
        "idle {:.3f}\n",
        ms(collect_ns), ms(restart_ns), ms(decide_ns), ms(dispatch_ns), ms(lent_ns), ms(idle_ns));
    t += fmt::format("units waiting  {:>12.1f} % of their time\n", 100 * waiting_share);
  }
  t += fmt::format("{:<24} {:>8} {:>12} {:>12} {:>14}\n", "channel", "levels", "capacity",
                   "most live", "elements");
  for (const channel_statistics& c : channels) {
    t += fmt::format("{:<24} {:>8} {:>12} {:>12} {:>14}\n", c.name, c.levels, c.largest_capacity,
                     c.most_in_level, c.elements);
  }
  return t;
}

std::string statistics::json() const {
  nlohmann::ordered_json j;
  j["run_ns"] = run_ns;
  j["compute_units"] = compute_units;
  j["width"] = width;
  j["tasks"] = work.tasks;
  j["continuations"] = work.resumed;
  j["batches"] = batches;
  j["batch_elements"] = batch_elements;
  j["largest_batch"] = largest_batch;
  j["wavefronts"] = work.waves;
  j["lanes_active"] = lanes_active();
  j["retries"] = work.retries;
  j["yields"] = work.yields;
  j["restarts"] = restarts;
  j["blocks"] = work.blocks;
  j["join_atomics"] = work.join_atomics;
  j["memory_high_water"] = memory_high_water;
  j["memory_limit"] = memory_limit;
  j["deepest_level"] = deepest_level;
  j["channels_made"] = channels_made;
  if (timed) {
    j["aggregator_ns"] = {{"collect", collect_ns},   {"restart", restart_ns}, {"decide", decide_ns},
                          {"dispatch", dispatch_ns}, {"lent", lent_ns},       {"idle", idle_ns}};
    j["units_waiting"] = waiting_share;
  }
  j["channels"] = nlohmann::ordered_json::array();
  for (const channel_statistics& c : channels) {
    j["channels"].push_back({{"name", c.name},
                             {"levels", c.levels},
                             {"largest_capacity", c.largest_capacity},
                             {"most_live", c.most_in_level},
                             {"elements", c.elements}});
  }
  return j.dump(2) + "\n";
}

}  // namespace channels
