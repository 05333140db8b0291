#include "channels/statistics.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // max, find_if
#include <cstddef>    // ptrdiff_t

namespace channels {
namespace {

double ms(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The entry of `all`'s first `count` with the name of `one`, or null.
template <class Entry>
Entry* named_like(std::vector<Entry>& all, std::size_t count, const Entry& one) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  const auto found =
      std::find_if(all.begin(), end, [&](const Entry& e) { return e.name == one.name; });
  return found == end ? nullptr : &*found;
}

}  // namespace

node_statistics& node_statistics::operator+=(const node_statistics& o) {
  batches += o.batches;
  elements += o.elements;
  waves += o.waves;
  lanes += o.lanes;
  retries += o.retries;
  yields += o.yields;
  restarts += o.restarts;
  busy_ns += o.busy_ns;
  return *this;
}

statistics& statistics::operator+=(const statistics& o) {
  timed |= o.timed;
  runs += o.runs;
  collect_ns += o.collect_ns;
  restart_ns += o.restart_ns;
  decide_ns += o.decide_ns;
  dispatch_ns += o.dispatch_ns;
  lent_ns += o.lent_ns;
  idle_ns += o.idle_ns;
  handovers += o.handovers;
  device_decide_ns += o.device_decide_ns;
  device_idle_ns += o.device_idle_ns;
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
  for (std::size_t i = 0; i < batch_sizes.size(); ++i) batch_sizes[i] += o.batch_sizes[i];
  cut_by_room += o.cut_by_room;
  restarts += o.restarts;
  channels_made += o.channels_made;
  memory_high_water = std::max(memory_high_water, o.memory_high_water);
  memory_limit = std::max(memory_limit, o.memory_limit);
  memory_minimum = std::max(memory_minimum, o.memory_minimum);
  deepest_level = std::max(deepest_level, o.deepest_level);
  compute_units = std::max(compute_units, o.compute_units);
  width = std::max(width, o.width);
  if (!o.device.empty()) device = o.device;
  if (!o.device_model.empty()) device_model = o.device_model;
  work += o.work;
  const std::size_t had_channels = channels.size();
  for (const channel_statistics& c : o.channels) {
    channel_statistics* const mine = named_like(channels, had_channels, c);
    if (mine == nullptr) {
      channels.push_back(c);
      continue;
    }
    mine->levels = std::max(mine->levels, c.levels);
    mine->most_in_level = std::max(mine->most_in_level, c.most_in_level);
    mine->largest_capacity = std::max(mine->largest_capacity, c.largest_capacity);
    mine->elements += c.elements;
  }
  const std::size_t had_nodes = nodes.size();
  for (const node_statistics& n : o.nodes) {
    if (node_statistics* const mine = named_like(nodes, had_nodes, n)) {
      *mine += n;
    } else {
      nodes.push_back(n);
    }
  }
  units.resize(std::max(units.size(), o.units.size()));
  for (std::size_t i = 0; i < o.units.size(); ++i) {
    units[i].batches += o.units[i].batches;
    units[i].elements += o.units[i].elements;
    units[i].busy_ns += o.units[i].busy_ns;
  }
  return *this;
}

double statistics::lanes_active() const { return share(work.lanes, work.waves * width); }

std::string statistics::table() const {
  std::string t = fmt::format(
      "run            {:>12.3f} ms, {} compute units, wavefronts of {}{}\n", ms(run_ns),
      compute_units, width,
      device.empty() || device == "host" ? "" : fmt::format(", on the device '{}'", device));
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
  if (handovers != 0) {
    t += fmt::format(
        "on the device  {:>12} times; its aggregator decided for {:.3f} ms, waited for {:.3f}\n",
        handovers, ms(device_decide_ns), ms(device_idle_ns));
  }
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

}  // namespace channels
