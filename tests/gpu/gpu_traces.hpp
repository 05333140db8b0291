#pragma once

// Traces of runs through channels on a GPU, with either place of the aggregator.

#include <unistd.h>  // getpid

#include <cstdint>  // fixed-width integers
#include <fstream>  // ifstream
#include <map>      // map
#include <utility>  // pair

namespace gpu_channels {

/// A trace's events, of which each has a line: numbers are nanoseconds.
class trace_reader {
 public:
  struct event {
    char phase;
    std::string name;
    std::string track;  ///< "" of counters
    std::uint64_t start, end;
    std::string line;

    /// One of its arguments.
    [[nodiscard]] std::uint64_t argument(const std::string& which) const {
      return std::stoull(after("\"" + which + "\":"));
    }
    [[nodiscard]] std::string after(const std::string& key) const {
      const std::size_t at = line.find(key);
      return at == std::string::npos ? "0" : line.substr(at + key.size());
    }
  };

  explicit trace_reader(const std::string& path) {
    std::map<std::uint64_t, std::string> tracks;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
      if (line.rfind("{\"ph\"", 0) != 0) continue;
      event e{line[7], {}, {}, 0, 0, line};
      e.name = text(e.after("\"name\":"));
      const std::uint64_t track = std::stoull(e.after("\"tid\":"));
      if (e.phase == 'M') {
        if (e.name == "thread_name") tracks[track] = text(e.after("\"args\":{\"name\":"));
        continue;
      }
      if (e.phase != 'C') e.track = tracks[track];
      e.start = nanoseconds(e.after("\"ts\":"));
      e.end = e.start + nanoseconds(e.after("\"dur\":"));
      events_.push_back(e);
    }
  }

  /// The events of `phase` on tracks whose names begin with `track`.
  [[nodiscard]] std::vector<event> all(char phase, const std::string& track = "") const {
    std::vector<event> found;
    for (const event& e : events_) {
      if (e.phase == phase && e.track.rfind(track, 0) == 0) found.push_back(e);
    }
    return found;
  }

 private:
  static std::string text(const std::string& quoted) {
    return quoted.substr(1, quoted.find('"', 1) - 1);
  }
  /// Microseconds with three digits behind the point.
  static std::uint64_t nanoseconds(const std::string& us) {
    const std::size_t point = us.find('.');
    return point == std::string::npos
               ? 0
               : std::stoull(us.substr(0, point)) * 1000 + std::stoull(us.substr(point + 1, 3));
  }

  std::vector<event> events_;
};

inline void check_no_overlaps(const std::vector<trace_reader::event>& slices) {
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> by_track;
  for (const auto& e : slices) by_track[e.track].emplace_back(e.start, e.end);
  for (auto& [track, times] : by_track) {
    std::sort(times.begin(), times.end());
    for (std::size_t i = 1; i < times.size(); ++i) {
      EXPECT_LE(times[i - 1].second, times[i].first) << track;
    }
  }
}

/// A name of its own each time: runs with the same file add to it.
inline std::string next_trace_file() {
  static int number = 0;
  return ::testing::TempDir() + "channels_trace_" + std::to_string(::getpid()) + "_" +
         std::to_string(++number) + ".json";
}

/// What `call` leaves in a trace, and what the runtime counted.
template <class Call>
std::pair<trace_reader, channels::statistics> traced(settings s, const Call& call) {
  const std::string file = next_trace_file();
  s.trace = file;
  channels::statistics counted;
  {
    runtime on(s);
    call(on);
    counted = on.last_run();
  }
  trace_reader trace(file);
  std::remove(file.c_str());
  return {std::move(trace), std::move(counted)};
}

inline const char* const unit_tracks =
    std::string_view(channels::gpu::device_name) == "cuda" ? "SM " : "compute unit ";

inline void check_trace(settings s) {
  const auto [trace, counted] = traced(
      s, [](runtime& on) { EXPECT_EQ(channels::call<tasks::fib>(on, {11}), tasks::fast_fib(11)); });
  const auto runs = trace.all('X', "aggregator");
  const auto run =
      std::find_if(runs.begin(), runs.end(), [](const auto& e) { return e.name == "run fib"; });
  ASSERT_NE(run, runs.end());

  // Each batch is there once, by the device's clock within the run.
  const auto batches = trace.all('X', "batches in flight, ");
  EXPECT_EQ(batches.size(), counted.batches);
  std::uint64_t elements = 0;
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> by_level;
  for (const auto& b : batches) {
    elements += b.argument("elements");
    by_level[{b.name.substr(0, b.name.find(", restarted")), b.argument("level")}] += 1;
    EXPECT_GE(b.start, run->start);
    EXPECT_LE(b.end, run->end);
    EXPECT_LE(b.argument("lanes_active_%"), 100U);
  }
  EXPECT_EQ(elements, counted.batch_elements);
  check_no_overlaps(batches);

  // Each batch has a part on some compute unit, and none has one that is no batch.
  const auto parts = trace.all('X', unit_tracks);
  EXPECT_GE(parts.size(), counted.batches);
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> parts_by_level;
  for (const auto& p : parts) {
    parts_by_level[{p.name, p.argument("level")}] += 1;
    EXPECT_GT(p.argument("wavefronts"), 0U);
  }
  EXPECT_EQ(parts_by_level.size(), by_level.size());
  for (const auto& [node_and_level, count] : by_level) {
    EXPECT_GE(parts_by_level[node_and_level], count)
        << node_and_level.first << ", level " << node_and_level.second;
  }
  check_no_overlaps(parts);

  // Channels fill, and are empty at the end.
  std::map<std::string, std::uint64_t> last;
  std::map<std::string, std::uint64_t> most;
  std::map<std::string, std::uint64_t> when;
  for (const auto& c : trace.all('C')) {
    const std::uint64_t held = c.argument("elements");
    if (c.start >= when[c.name]) last[c.name] = held;
    when[c.name] = std::max(when[c.name], c.start);
    most[c.name] = std::max(most[c.name], held);
  }
  std::uint64_t ever = 0;
  for (const auto& [name, held] : last) {
    EXPECT_EQ(held, 0U) << name;
    EXPECT_LE(most[name], 233U) << name;
    ever += most[name];
  }
  EXPECT_GT(ever, 0U);

  const auto decisions = trace.all('X', "aggregator on the device");
  EXPECT_EQ(decisions.empty(), s.aggregator == aggregator_place::host);
  check_no_overlaps(decisions);
  if (s.force_yield > 0) {
    std::uint64_t found = 0;
    for (const auto& e : trace.all('i')) {
      if (e.name.rfind("retry: ", 0) == 0 || e.name.rfind("yield: ", 0) == 0)
        found += e.argument("count");
    }
    EXPECT_EQ(found, counted.work.retries + counted.work.yields);
    EXPECT_GT(found, 0U);
  }
}

TEST(gpu_traces, have_each_batch_its_parts_on_compute_units_and_what_channels_hold) {
  for (const aggregator_place place : both_places) {
    for (const double forced : {0.0, 0.2}) {
      SCOPED_TRACE(::testing::Message()
                   << "aggregator on the " << (place == aggregator_place::host ? "host" : "device")
                   << ", forced yields " << forced);
      settings s = on_device(place);
      s.force_yield = forced;
      check_trace(s);
    }
  }
}

/// A track keeps its newest events, and says how many it dropped.
TEST(gpu_traces, are_bounded) {
  for (const aggregator_place place : both_places) {
    settings s = on_device(place);
    s.trace_events = 16;
    s.batch = 8;
    const auto [trace, counted] = traced(s, [](runtime& on) {
      EXPECT_EQ(channels::call<tasks::fib>(on, {11}), tasks::fast_fib(11));
    });
    std::map<std::string, std::size_t> on_track;
    for (const auto& e : trace.all('X')) ++on_track[e.track];
    for (const auto& [track, events] : on_track) {
      // An event of the aggregator's phases becomes six slices.
      EXPECT_LE(events, track == "aggregator" ? 6 * 16U : 16U) << track;
    }
    std::size_t said = 0;
    for (const auto& e : trace.all('i')) said += e.name.find("dropped") != std::string::npos;
    EXPECT_GT(said, 0U);
  }
}

}  // namespace gpu_channels
