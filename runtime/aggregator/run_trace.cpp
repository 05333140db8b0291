#include "runtime/aggregator/run_trace.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // max, min

#include "runtime/aggregator/channel_table.hpp"

namespace channels::detail {
namespace {

// Nanoseconds between two looks at what channels hold. The first looks follow each other more
// quickly, for short runs. After that they take a quarter of a percent of the time, at some 30 ns
// for each channel, however deep a run is. To note each change as it happens costs ten times that.
constexpr double first_between_samples = 2'000;
constexpr double least_between_samples = 100'000;
constexpr double between_samples_for_each_channel = 30 * 400;

// Numbers of tracks, in the order in which they are shown: the aggregator is 0, batches follow, and
// compute units of a device come last.
constexpr std::uint32_t device_aggregator_track = 900;

}  // namespace

run_trace::run_trace(std::shared_ptr<trace_session> session, const graph_model& model,
                     std::string batches_on, std::string unit, std::uint32_t width)
    : session_(std::move(session)),
      model_(model),
      batches_on_(std::move(batches_on)),
      unit_(std::move(unit)),
      width_(width),
      aggregator_(session_->track(0, "aggregator")) {
  const auto batch = [&](const std::string& name) {
    // The last three are mostly 0: then an event takes one slot.
    return session_->label(name, {"level", "elements", "lanes_active_%", "wavefronts", "put_back",
                                  "retries", "yields"});
  };
  for (const node_model& n : model.nodes) {
    nodes_.push_back({batch(n.name), batch(n.name + ", restarted"),
                      session_->label("retry: " + n.name, {"level", "count"}),
                      session_->label("yield: " + n.name, {"level", "count"}),
                      session_->label("restart: " + n.name, {"level", "count"})});
  }
  fills_.resize(model.stacks.size());
  between_samples_ = first_between_samples;
  ticks_per_ns_ = 1e6 / static_cast<double>(tick_scale().duration(1'000'000));
}

/// Ends the turn so far. Enters the first parts of a phase that is longer than a turn may be;
/// returns where the rest begins.
std::uint64_t run_trace::begin_turn(phase what, std::uint64_t start, std::uint64_t end) {
  if (turn_ticks_ != 0) end_turn();
  for (; end - start > longest_turn; start += longest_turn) {
    turns_[turn_count_].start = start;
    turns_[turn_count_].ticks[static_cast<std::size_t>(what)] = longest_turn;
    end_turn();
  }
  return start;
}

void run_trace::end_turn() {
  turn_ticks_ = 0;
  if (++turn_count_ == turns_.size()) put_turns();
}

void run_trace::put_turns() {
  for (std::uint32_t i = 0; i < turn_count_; ++i) {
    const turn& t = turns_[i];
    trace_event e;
    e.what = trace_event::type::phases;
    e.start = t.start;
    for (std::size_t p = 0; p < t.ticks.size(); ++p) {
      e.duration += t.ticks[p];
      if (p < phase_argument.size()) e.arguments[phase_argument[p]] = t.ticks[p];
    }
    aggregator_.put(e);
  }
  turns_ = {};
  turn_count_ = 0;
}

trace_track& run_trace::unit(std::uint32_t number) {
  if (units_.size() <= number) units_.resize(number + 1);
  trace_track*& track = units_[number];
  if (track == nullptr)
    track = &session_->track(number + 1, fmt::format("{} {}", batches_on_, number));
  return *track;
}

void run_trace::ran(const ended_batch& b) {
  const node_labels& labels = nodes_[b.node];
  trace_track& track = unit(b.unit);
  trace_event e;
  e.start = b.start;
  e.duration = b.end - b.start;
  e.label = b.restarted ? labels.restarted_batch : labels.batch;
  e.arguments = {
      b.level,   b.count, lanes_active(b.lanes, b.waves, width_), b.waves, b.count - b.consumed,
      b.retries, b.yields};
  track.put(e);
  const auto instant = [&](std::uint32_t label, std::uint32_t count) {
    if (count == 0) return;
    trace_event i;
    i.what = trace_event::type::instant;
    i.start = b.end;
    i.label = label;
    i.arguments = {b.level, count};
    track.put(i);
  };
  instant(labels.retry, b.retries);
  instant(labels.yield, b.yields);
}

void run_trace::ran(const device_batch& b, std::uint64_t start, std::uint64_t end) {
  trace_event e = batch_event(nodes_[b.node].batch, b.level, b.elements,
                              (b.elements + width_ - 1) / width_, width_);
  e.start = start;
  e.duration = end - start;
  unit(b.slot).put(e);
}

void run_trace::decided(std::uint64_t start, std::uint64_t end) {
  if (deciding_ == nullptr) {
    deciding_ = &session_->track(device_aggregator_track, "aggregator on the device");
    decide_label_ = session_->label("decide");
  }
  trace_event e;
  e.start = start;
  e.duration = end - start;
  e.label = decide_label_;
  deciding_->put(e);
}

void run_trace::changed(std::uint32_t stack, std::uint32_t level, std::uint64_t more,
                        std::uint64_t at) {
  level = std::min(level, levels_apart);
  std::vector<fill>& levels = fills_[stack];
  if (levels.size() <= level) levels.resize(level + 1);
  levels[level].elements += more;
  levels[level].seen = true;
  enter_fill(stack, level);
  put_fills(at);
}

void run_trace::worked(const noted_work& work, const logging_device& from,
                       const device_clock& clock, std::uint64_t start) {
  std::vector<std::uint32_t> labels;
  labels.reserve(nodes_.size());
  for (const node_labels& n : nodes_) labels.push_back(n.batch);
  const std::uint64_t lost =
      session_->keep({{}, clock, std::move(labels), unit_, width_}, work.kept,
                     [&from](std::vector<unit_work>& to) { from.read_log(to); });
  dropped(work.dropped + lost, start);
}

void run_trace::dropped(std::uint64_t count, std::uint64_t at) {
  if (count == 0) return;
  trace_event e;
  e.what = trace_event::type::instant;
  e.start = at;
  e.label = session_->label("earlier events of the device dropped", {"count"});
  e.arguments = {narrow(count)};
  aggregator_.put(e);
}

void run_trace::restarted(std::uint32_t node, std::uint32_t level, std::uint32_t count,
                          std::uint64_t at) {
  trace_event e;
  e.what = trace_event::type::instant;
  e.start = at;
  e.label = nodes_[node].restart;
  e.arguments = {level, count};
  aggregator_.put(e);
}

void run_trace::look(const channel_table& table, std::uint64_t at) {
  for (std::vector<fill>& levels : fills_) {
    for (fill& f : levels) f.elements = 0;
  }
  std::uint64_t looked_at = 0;
  for (std::uint32_t level = 0; level < table.level_count(); ++level) {
    const std::uint32_t shown = std::min(level, levels_apart);
    for (const channel_state* const c : table.at(level)) {
      ++looked_at;
      std::vector<fill>& levels = fills_[c->stack];
      if (levels.size() <= shown) levels.resize(shown + 1);
      levels[shown].elements += c->live;
      levels[shown].seen = true;
    }
  }
  for (std::uint32_t stack = 0; stack < fills_.size(); ++stack) {
    for (std::uint32_t level = 0; level < fills_[stack].size(); ++level) {
      enter_fill(stack, level);
      if (fills_left_count_ == counters_of_an_event) put_fills(at);
    }
  }
  put_fills(at);
  next_sample_ = at + static_cast<std::uint64_t>(between_samples_ * ticks_per_ns_);
  const double most = std::max(least_between_samples,
                               between_samples_for_each_channel * static_cast<double>(looked_at));
  between_samples_ = std::min(2 * between_samples_, most);
}

void run_trace::enter_fill(std::uint32_t stack, std::uint32_t level) {
  fill& f = fills_[stack][level];
  if (!f.seen || (f.labelled && f.elements == f.entered)) return;
  if (!f.labelled) {
    const stack_model& s = model_.stacks[stack];
    f.label = session_->label(s.levels ? fmt::format("{}, level {:02}{}", s.name, level,
                                                     level == levels_apart ? " and deeper" : "")
                                       : s.name);
    f.labelled = true;
  }
  f.entered = f.elements;
  fills_left_[fills_left_count_++] = {f.label, narrow(f.elements)};
}

/// Enters the fills that are left, which are at most `counters_of_an_event`.
void run_trace::put_fills(std::uint64_t at) {
  if (fills_left_count_ == 0) return;
  trace_event e;
  e.what = trace_event::type::counters;
  e.start = at;
  for (std::size_t i = 0; i < counters_of_an_event; ++i) {
    set_counter(e, i, i < fills_left_count_ ? fills_left_[i] : labelled_value());
  }
  fills_left_count_ = 0;
  aggregator_.put(e);
}

void run_trace::end(const channel_table& table, std::uint64_t start, std::uint64_t end) {
  if (turn_ticks_ != 0) end_turn();
  put_turns();
  look(table, end);
  // Channels of a run that failed still hold elements; they are gone with the run.
  for (std::uint32_t stack = 0; stack < fills_.size(); ++stack) {
    for (std::uint32_t level = 0; level < fills_[stack].size(); ++level) {
      fills_[stack][level].elements = 0;
      enter_fill(stack, level);
      if (fills_left_count_ == counters_of_an_event) put_fills(end);
    }
  }
  put_fills(end);
  trace_event e;
  e.start = start;
  e.duration = end - start;
  e.label = session_->label("run " + model_.name);
  aggregator_.put(e);
}

}  // namespace channels::detail
