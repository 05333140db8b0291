#include "runtime/observe/statistics_table.hpp"

#include <algorithm>  // max

namespace channels::detail {
namespace {

using json = nlohmann::ordered_json;

template <auto Member>
struct record_of;
template <class Record, class Value, Value Record::* Member>
struct record_of<Member> {
  using type = Record;
};
template <auto Member>
using row_of = statistic<typename record_of<Member>::type>;

constexpr condition always{"", [](const statistics& /*run*/) { return true; }};
constexpr condition timed{"with times", [](const statistics& run) { return run.timed; }};
constexpr condition on_device{"if the aggregator was on the device",
                              [](const statistics& run) { return run.handovers != 0; }};
constexpr condition with_model{"on a GPU",
                               [](const statistics& run) { return !run.device_model.empty(); }};

template <auto Member>
json value_of(const typename record_of<Member>::type& of, const statistics& /*run*/) {
  return of.*Member;
}

/// A member that several runs add up.
template <auto Member>
constexpr row_of<Member> sum(const char* field, const char* unit, const char* meaning,
                             const condition& shown = always) {
  return {field,
          unit,
          meaning,
          &value_of<Member>,
          [](auto& to, const auto& other) { to.*Member += other.*Member; },
          &shown};
}

/// A member of which several runs keep the highest value.
template <auto Member>
constexpr row_of<Member> most(const char* field, const char* unit, const char* meaning) {
  return {field,
          unit,
          meaning,
          &value_of<Member>,
          [](auto& to, const auto& other) { to.*Member = std::max(to.*Member, other.*Member); },
          &always};
}

/// A counter of the compute units. `statistics::operator+=` adds them all.
template <auto Counter>
constexpr statistic<statistics> counted(const char* field, const char* unit, const char* meaning,
                                        const condition& shown = always) {
  return {
      field,   unit,
      meaning, [](const statistics& s, const statistics& /*run*/) { return json(s.work.*Counter); },
      nullptr, &shown};
}

/// Pairs of a size and how many batches were of at most that, and above the one before.
json json_of_sizes(const statistics& s, const statistics& /*run*/) {
  json sizes = json::array();
  for (std::size_t i = 0; i < s.batch_sizes.size(); ++i) {
    if (s.batch_sizes[i] == 0) continue;
    sizes.push_back({{"up_to", std::uint64_t{1} << i}, {"batches", s.batch_sizes[i]}});
  }
  return sizes;
}

void add_sizes(statistics& to, const statistics& other) {
  for (std::size_t i = 0; i < to.batch_sizes.size(); ++i) to.batch_sizes[i] += other.batch_sizes[i];
}

using counters = work_counters;

constexpr statistic<statistics> run_rows[] = {
    {"device_name", "", "the device as its maker calls it", &value_of<&statistics::device_model>,
     [](statistics& to, const statistics& other) {
       if (!other.device_model.empty()) to.device_model = other.device_model;
     },
     &with_model},
    sum<&statistics::runs>("runs", "", "runs through channels"),
    sum<&statistics::run_ns>("run_ns", "ns", "from the start of a run to its end, of all runs"),
    most<&statistics::compute_units>("compute_units", "", "compute units"),
    most<&statistics::width>("width", "lanes", "lanes of a wavefront"),
    counted<&counters::tasks>("tasks", "", "elements consumed by work and pre-spawn nodes"),
    counted<&counters::resumed>("continuations", "", "frames run by post-spawn nodes"),
    sum<&statistics::batches>("batches", "", "batches dispatched"),
    sum<&statistics::batch_elements>("batch_elements", "elements", "elements of all batches"),
    most<&statistics::largest_batch>("largest_batch", "elements", "elements of the largest batch"),
    {"batch_sizes", "",
     "a list: `batches` of at most `up_to` elements, and of more than the `up_to` before",
     &json_of_sizes, &add_sizes, &always},
    sum<&statistics::cut_by_room>(
        "cut_by_room", "", "batches smaller than what was ready, for lack of room downstream"),
    counted<&counters::waves>("wavefronts", "", "wavefronts of all batches"),
    {"lanes_active", "share, 0 to 1", "of the lanes of all wavefronts, those that had an element",
     [](const statistics& s, const statistics& /*run*/) { return json(s.lanes_active()); }, nullptr,
     &always},
    counted<&counters::retries>("retries", "",
                                "elements that found no room before they did anything; tasks count "
                                "once for each batch that they ended"),
    counted<&counters::yields>("yields", "", "frames that stopped at a spawn for lack of room"),
    sum<&statistics::restarts>("restarts", "",
                               "elements and frames dispatched again after a retry or a yield"),
    sum<&statistics::parked>("parked", "",
                             "elements moved to the host's memory, because what they needed had no "
                             "room and they kept room from others"),
    counted<&counters::blocks>("blocks", "", "reservations of elements"),
    counted<&counters::join_atomics>("join_atomics", "", "atomics on join counts"),
    most<&statistics::memory_high_water>("memory_high_water", "bytes",
                                         "bytes of channels, at most at one time"),
    most<&statistics::memory_limit>("memory_limit", "bytes", "memory given to channels"),
    most<&statistics::memory_minimum>(
        "memory_minimum", "bytes",
        "`CHANNELS_MEMORY` with which a run of this depth completes, whatever its width"),
    most<&statistics::deepest_level>("deepest_level", "",
                                     "the deepest level with a channel, from 0"),
    sum<&statistics::channels_made>("channels_made", "",
                                    "channels made, with those that replaced smaller ones"),
    sum<&statistics::collect_ns>("aggregator_ns.collect", "ns",
                                 "the aggregator collected what batches left", timed),
    sum<&statistics::restart_ns>("aggregator_ns.restart", "ns",
                                 "the aggregator filed restart contexts", timed),
    sum<&statistics::decide_ns>("aggregator_ns.decide", "ns",
                                "the aggregator decided what to dispatch", timed),
    sum<&statistics::dispatch_ns>("aggregator_ns.dispatch", "ns",
                                  "the aggregator dispatched batches", timed),
    sum<&statistics::lent_ns>("aggregator_ns.lent", "ns",
                              "the aggregator's thread ran batches, as unit 0", timed),
    sum<&statistics::idle_ns>("aggregator_ns.idle", "ns", "the aggregator had nothing to do",
                              timed),
    counted<&counters::busy_ns>("busy_ns", "ns", "time of all units in kernel nodes", timed),
    // `statistics::operator+=` weighs it.
    {"units_waiting", "share, 0 to 1", "of `compute_units` times `run_ns`, what `busy_ns` is not",
     &value_of<&statistics::waiting_share>, nullptr, &timed},
    sum<&statistics::handovers>("on_device.times", "", "handovers to the device's aggregator",
                                on_device),
    sum<&statistics::device_decide_ns>("on_device.decide_ns", "ns",
                                       "the device's aggregator was at work", on_device),
    sum<&statistics::device_idle_ns>("on_device.idle_ns", "ns",
                                     "the device's aggregator waited for batches", on_device),
};

constexpr statistic<channel_statistics> channel_rows[] = {
    {"name", "", "name of the channel or stack", &value_of<&channel_statistics::name>, nullptr,
     &always},
    most<&channel_statistics::levels>("levels", "", "levels that had a channel"),
    most<&channel_statistics::largest_capacity>("largest_capacity", "elements",
                                                "capacity of the largest channel of a level"),
    most<&channel_statistics::most_in_level>("most_live", "elements",
                                             "most elements in one channel at one time"),
    sum<&channel_statistics::elements>(
        "elements", "elements", "elements reserved, in blocks of which not all elements are used"),
};

constexpr statistic<node_statistics> node_rows[] = {
    {"name", "",
     "name of the kernel node. A frame that its last child resumes (counted) counts for that "
     "child's "
     "node",
     &value_of<&node_statistics::name>, nullptr, &always},
    sum<&node_statistics::batches>("batches", "", "batches that ran it"),
    sum<&node_statistics::elements>("elements", "elements", "elements consumed"),
    sum<&node_statistics::waves>("wavefronts", "", "wavefronts of its batches"),
    sum<&node_statistics::lanes>("lanes", "lanes", "lanes of these wavefronts that had an element"),
    {"lanes_active", "share, 0 to 1", "of the lanes of these wavefronts, those that had an element",
     [](const node_statistics& n, const statistics& run) {
       return json(share_of(n.lanes, n.waves * run.width));
     },
     nullptr, &always},
    sum<&node_statistics::retries>("retries", "", "as in the run"),
    sum<&node_statistics::yields>("yields", "", "as in the run"),
    sum<&node_statistics::restarts>("restarts", "", "as in the run"),
    sum<&node_statistics::busy_ns>("busy_ns", "ns", "time of compute units in it"),
};

constexpr statistic<unit_statistics> unit_rows[] = {
    sum<&unit_statistics::batches>("batches", "", "batches that it ran"),
    sum<&unit_statistics::elements>("elements", "elements", "elements of these batches"),
    sum<&unit_statistics::busy_ns>("busy_ns", "ns", "time in kernel nodes"),
};

constexpr statistic<link_statistics> link_rows[] = {
    {"here", "", "the place that counts", &value_of<&link_statistics::here>, nullptr, &always},
    {"place", "", "the other place", &value_of<&link_statistics::place>, nullptr, &always},
    sum<&link_statistics::elements_sent>("elements_sent", "elements",
                                         "elements that went to the other place"),
    sum<&link_statistics::elements_arrived>("elements_arrived", "elements",
                                            "elements that came from it"),
    sum<&link_statistics::parcels_sent>("parcels_sent", "", "parcels with elements that went"),
    sum<&link_statistics::bytes_sent>("bytes_sent", "bytes", "size of these parcels"),
    sum<&link_statistics::credit_waits>(
        "credit_waits", "", "how often an element for the other place had to wait for credit"),
};

}  // namespace

std::span<const statistic<statistics>> run_fields() { return run_rows; }
std::span<const statistic<channel_statistics>> channel_fields() { return channel_rows; }
std::span<const statistic<node_statistics>> node_fields() { return node_rows; }
std::span<const statistic<unit_statistics>> unit_fields() { return unit_rows; }
std::span<const statistic<link_statistics>> link_fields() { return link_rows; }

}  // namespace channels::detail
