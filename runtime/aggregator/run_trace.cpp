#include "runtime/aggregator/run_trace.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // find_if, max, min, sort

#include "runtime/aggregator/channel_table.hpp"

namespace channels::detail {
namespace {

// Nanoseconds between two looks at what channels hold. The first ones follow each other more
// quickly, for short runs. Then a look, which takes some thirty for each channel, takes half a
// percent of the time, of deep runs, too: to note each change as it happens took five times that.
constexpr double first_between_samples = 2'000;
constexpr double least_between_samples = 100'000;
constexpr double between_samples_for_each_channel = 30 * 200;

/// Phases that are put together take no longer, in ticks: a third of what 32 bits hold, for one
/// more may come on top.
constexpr std::uint64_t longest_phases = 1'400'000'000;

// Numbers of tracks, in the order in which they are shown: the aggregator is 0, batches follow.
constexpr std::uint32_t device_aggregator_track = 900;
constexpr std::uint32_t first_unit_track = 1000;
constexpr std::uint32_t most_parts = 64;  ///< work-groups of a compute unit

/// A GPU has a hundred units and more, with some work-groups each: their tracks are shorter.
constexpr std::uint32_t share_of_unit = 64;

std::uint32_t narrow(std::uint64_t n) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, ~std::uint32_t{0}));
}

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
    return session_->label(name, {"level", "elements", "lanes_active_%", "consumed", "retries",
                                  "yields", "wavefronts"});
  };
  for (const node_model& n : model.nodes) {
    nodes_.push_back({batch(n.name), batch(n.name + ", restarted"),
                      session_->label("retry: " + n.name, {"level", "count"}),
                      session_->label("yield: " + n.name, {"level", "count"}),
                      session_->label("restart: " + n.name, {"level", "count"})});
  }
  fills_.resize(model.stacks.size());
  phases_.what = trace_event::type::phases;
  between_samples_ = first_between_samples;
  ticks_per_ns_ = 1e6 / static_cast<double>(tick_scale().duration(1'000'000));
}

void run_trace::in_phase(phase what, std::uint64_t start, std::uint64_t end) {
  std::uint64_t took = end - start;
  if (phases_ticks_ != 0 && (what < last_phase_ || phases_ticks_ + took > longest_phases)) {
    put_phases();
  }
  if (phases_ticks_ == 0) phases_.start = start;
  while (took > longest_phases) {
    phases_.arguments[static_cast<std::size_t>(what)] = narrow(longest_phases);
    phases_ticks_ = longest_phases;
    put_phases();
    took -= longest_phases;
    phases_.start = end - took;
  }
  last_phase_ = what;
  phases_.arguments[static_cast<std::size_t>(what)] += narrow(took);
  phases_ticks_ += took;
}

void run_trace::put_phases() {
  phases_.duration = phases_ticks_;
  aggregator_.put(phases_);
  phases_.arguments = {};
  phases_ticks_ = 0;
}

trace_track& run_trace::unit(std::uint32_t number) {
  if (units_.size() <= number) units_.resize(number + 1);
  trace_track*& track = units_[number];
  if (track == nullptr)
    track = &session_->track(number + 1, fmt::format("{} {}", batches_on_, number));
  return *track;
}

void run_trace::ran(const flight& f, std::uint32_t node, bool restarted) {
  const host::work_counters& did = f.times.did;
  const node_labels& labels = nodes_[node];
  trace_track& track = unit(f.times.unit);
  trace_event e;
  e.start = f.times.start;
  e.duration = f.times.end - e.start;
  e.label = restarted ? labels.restarted_batch : labels.batch;
  const std::uint64_t lanes = did.waves * width_;
  e.arguments = {
      f.work.level,     f.work.count,        lanes == 0 ? 0 : narrow(did.lanes * 100 / lanes),
      f.work.consumed,  narrow(did.retries), narrow(did.yields),
      narrow(did.waves)};
  track.put(e);
  const auto instant = [&](std::uint32_t label, std::uint64_t count) {
    if (count == 0) return;
    trace_event i;
    i.what = trace_event::type::instant;
    i.start = e.start + e.duration;
    i.label = label;
    i.arguments = {f.work.level, narrow(count)};
    track.put(i);
  };
  instant(labels.retry, did.retries);
  instant(labels.yield, did.yields);
}

trace_event run_trace::batch_event(std::uint32_t node, std::uint32_t level, std::uint32_t elements,
                                   std::uint64_t waves) const {
  trace_event e;
  e.label = nodes_[node].batch;
  // Wavefronts may have several turns.
  const std::uint64_t at_once = std::max<std::uint64_t>(waves, 1) * width_;
  const std::uint64_t lanes = (elements + at_once - 1) / at_once * at_once;
  e.arguments = {
      level,        elements, lanes == 0 ? 0 : narrow(std::uint64_t{elements} * 100 / lanes),
      elements,     0,        0,
      narrow(waves)};
  return e;
}

void run_trace::ran(const device_batch& b, std::uint64_t start, std::uint64_t end) {
  trace_event e = batch_event(b.node, b.level, b.elements, (b.elements + width_ - 1) / width_);
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
  enter_fill(stack, level, at);
}

void run_trace::worked(std::vector<unit_work> parts) {
  std::sort(parts.begin(), parts.end(),
            [](const unit_work& a, const unit_work& b) { return a.start < b.start; });
  // A compute unit has several work-groups at a time, each of which is shown on a track of its own.
  struct part_track {
    trace_track* track;
    std::uint64_t busy_until;
  };
  std::vector<std::vector<part_track>> units;
  for (const unit_work& w : parts) {
    if (units.size() <= w.unit) units.resize(w.unit + std::size_t{1});
    std::vector<part_track>& tracks = units[w.unit];
    auto free = std::find_if(tracks.begin(), tracks.end(),
                             [&w](const part_track& t) { return t.busy_until <= w.start; });
    if (free == tracks.end()) {
      const auto part = static_cast<std::uint32_t>(tracks.size());
      free = tracks.insert(free, {&part_of_unit(w.unit, part), 0});
    }
    trace_event e = batch_event(w.node, w.level, w.elements, w.waves);
    e.start = w.start;
    e.duration = w.end - w.start;
    free->track->put(e);
    free->busy_until = w.end;
  }
}

trace_track& run_trace::part_of_unit(std::uint32_t unit, std::uint32_t part) {
  return session_->track(first_unit_track + unit * most_parts + std::min(part, most_parts - 1),
                         part == 0 ? fmt::format("{} {}", unit_, unit)
                                   : fmt::format("{} {}, {}", unit_, unit, part + 1),
                         share_of_unit);
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
      enter_fill(stack, level, at);
    }
  }
  next_sample_ = at + static_cast<std::uint64_t>(between_samples_ * ticks_per_ns_);
  const double most = std::max(least_between_samples,
                               between_samples_for_each_channel * static_cast<double>(looked_at));
  between_samples_ = std::min(2 * between_samples_, most);
}

void run_trace::enter_fill(std::uint32_t stack, std::uint32_t level, std::uint64_t at) {
  fill& f = fills_[stack][level];
  if (!f.seen || (f.labelled && f.elements == f.entered)) return;
  if (!f.labelled) {
    const stack_model& s = model_.stacks[stack];
    f.label = session_->label(s.levels ? fmt::format("{}, level {:02}{}", s.name, level,
                                                     level == levels_apart ? " and deeper" : "")
                                       : s.name,
                              {"elements"});
    f.labelled = true;
  }
  f.entered = f.elements;
  trace_event e;
  e.what = trace_event::type::counter;
  e.start = at;
  e.label = f.label;
  e.arguments[0] = narrow(f.elements);
  aggregator_.put(e);
}

void run_trace::end(const channel_table& table, std::uint64_t start, std::uint64_t end) {
  if (phases_ticks_ != 0) put_phases();
  look(table, end);
  // Of a run that failed; the channels are gone with it.
  for (std::uint32_t stack = 0; stack < fills_.size(); ++stack) {
    for (std::uint32_t level = 0; level < fills_[stack].size(); ++level) {
      fills_[stack][level].elements = 0;
      enter_fill(stack, level, end);
    }
  }
  trace_event e;
  e.start = start;
  e.duration = end - start;
  e.label = session_->label("run " + model_.name);
  aggregator_.put(e);
}

}  // namespace channels::detail
