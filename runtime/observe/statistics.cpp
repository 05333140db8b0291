#include "channels/statistics.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // max, find_if, lower_bound
#include <cstddef>    // ptrdiff_t
#include <span>       // span
#include <utility>    // pair

#include "runtime/observe/statistics_table.hpp"

namespace channels {
namespace {

double ms(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

/// The entry of `all`'s first `count` with the name of `one`, or null.
template <class Entry>
Entry* named_like(std::vector<Entry>& all, std::size_t count, const Entry& one) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  const auto found =
      std::find_if(all.begin(), end, [&](const Entry& e) { return e.name == one.name; });
  return found == end ? nullptr : &*found;
}

/// Adds each entry of `other` to the one of its name in `all`, or behind all.
template <class Entry>
void add_by_name(std::span<const detail::statistic<Entry>> fields, std::vector<Entry>& all,
                 const std::vector<Entry>& other) {
  const std::size_t had = all.size();
  for (const Entry& one : other) {
    if (Entry* const mine = named_like(all, had, one)) {
      detail::add_fields(fields, *mine, one);
    } else {
      all.push_back(one);
    }
  }
}

/// Adds to the link between the same places in `all`, which is in their order.
void add_link(std::vector<link_statistics>& all, const link_statistics& link) {
  const auto places = [](const link_statistics& l) { return std::pair(l.here, l.place); };
  const auto at = std::lower_bound(
      all.begin(), all.end(), link,
      [&](const link_statistics& a, const link_statistics& b) { return places(a) < places(b); });
  if (at != all.end() && places(*at) == places(link)) {
    *at += link;
  } else {
    all.insert(at, link);
  }
}

}  // namespace

node_statistics& node_statistics::operator+=(const node_statistics& o) {
  detail::add_fields(detail::node_fields(), *this, o);
  return *this;
}

link_statistics& link_statistics::operator+=(const link_statistics& o) {
  detail::add_fields(detail::link_fields(), *this, o);
  return *this;
}

statistics& statistics::operator+=(const statistics& o) {
  timed |= o.timed;
  // Weighted by the time of which each is a share, and so before `run_ns` is added.
  const auto whole = static_cast<double>(run_ns + o.run_ns);
  if (whole > 0) {
    waiting_share = (waiting_share * static_cast<double>(run_ns) +
                     o.waiting_share * static_cast<double>(o.run_ns)) /
                    whole;
  }
  detail::add_fields(detail::run_fields(), *this, o);
  if (!o.device.empty()) device = o.device;
  work += o.work;
  add_by_name(detail::channel_fields(), channels, o.channels);
  add_by_name(detail::node_fields(), nodes, o.nodes);
  units.resize(std::max(units.size(), o.units.size()));
  for (std::size_t i = 0; i < o.units.size(); ++i) {
    detail::add_fields(detail::unit_fields(), units[i], o.units[i]);
  }
  for (const link_statistics& link : o.links) add_link(links, link);
  return *this;
}

double statistics::lanes_active() const { return detail::share_of(work.lanes, work.waves * width); }

std::string statistics::table() const {
  std::string t = fmt::format(
      "run            {:>12.3f} ms, {} compute units, wavefronts of {}{}\n", ms(run_ns),
      compute_units, width,
      device.empty() || device == "host" ? "" : fmt::format(", on the device '{}'", device));
  t += fmt::format("tasks          {:>12}     {:.1f} M/s\n", work.tasks,
                   detail::share_of(work.tasks, run_ns) * 1e3);
  t += fmt::format("continuations  {:>12}\n", work.resumed);
  t += fmt::format("batches        {:>12}     {:.1f} elements on average, {} at most\n", batches,
                   detail::share_of(batch_elements, batches), largest_batch);
  t += fmt::format("lanes active   {:>12.1f} %\n", 100 * lanes_active());
  t += fmt::format("retries        {:>12}     elements that found no room before they began\n",
                   work.retries);
  t += fmt::format("yields         {:>12}     frames that stopped at a spawn; {} restarts\n",
                   work.yields, restarts);
  t += fmt::format("blocks         {:>12}     reservations, {:.4f} for each task\n", work.blocks,
                   detail::share_of(work.blocks, work.tasks));
  t += fmt::format("join atomics   {:>12}     {:.4f} for each task\n", work.join_atomics,
                   detail::share_of(work.join_atomics, work.tasks));
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
  for (const link_statistics& l : links) {
    t += fmt::format(
        "place {:<4}to {:<4}{:>11}     elements in {} parcels of {:.0f} bytes on average; {} came "
        "from there; {} waits for credit\n",
        l.here, l.place, l.elements_sent, l.parcels_sent,
        detail::share_of(l.bytes_sent, l.parcels_sent), l.elements_arrived, l.credit_waits);
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
