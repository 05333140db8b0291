#include "runtime/aggregator/channel_table.hpp"

#include <algorithm>  // min, max, sort
#include <bit>        // bit_ceil, bit_floor
#include <cassert>    // assert
#include <cstring>    // memset

namespace channels::detail {

namespace {

bool by_ticket(const run& a, const run& b) { return a.first < b.first; }

/// `control`: the device enqueues, so channels have control arrays. Otherwise the aggregator counts
/// what is done, batch by batch, and groups need not be finer than batches.
channel_geometry geometry_for(const stack_model& s, const settings& options, std::uint32_t capacity,
                              bool control) {
  // The aggregator reads the count of every group when a batch has filled the channel, 7 ns each,
  // and the device waits meanwhile. But frames of the counted rule, which are not enqueued, free
  // themselves one by one: where many share a count they wait for each other.
  const std::uint32_t most_groups = s.control ? 512 : 2048;
  const std::uint32_t group =
      control ? options.done_group
              : std::max(options.done_group, std::bit_floor(capacity / most_groups));
  // At least two groups, so that one can be reclaimed while the other fills.
  return {capacity, std::min(group, std::max(capacity / 2, 1U))};
}

std::size_t bytes_for(const stack_model& s, const settings& options, std::uint32_t capacity,
                      bool control = true) {
  return geometry_for(s, options, capacity, control)
      .bytes(s.data_bytes(capacity), control && s.control);
}

/// The bytes of the smallest channel of any stack. All channels of stacks take a multiple, so that
/// every free piece of memory is long enough for a small one.
std::size_t unit_for(const graph_model& model, const settings& options, bool control = true) {
  std::size_t unit = cache_line;
  for (const stack_model& s : model.stacks) {
    if (s.levels) {
      unit = std::max(unit, bytes_for(s, options, channel_table::smallest_capacity, control));
    }
  }
  return unit;
}

}  // namespace

std::size_t minimum_bytes(const graph_model& model, const settings& options, std::uint32_t levels) {
  std::size_t channels = 0;
  const std::size_t unit = unit_for(model, options);
  for (const stack_model& s : model.stacks) {
    channels += s.levels ? 2 * unit * levels : bytes_for(s, options, s.capacity);
  }
  // The channel of restart contexts takes 1 KiB, or a thirty-second part of a larger memory.
  const std::size_t all = (channels + 1024) / 31 * 32 + 32;
  // The other half is for what tasks allocate.
  return model.allocates ? 2 * all : all;
}

channel_table::channel_table(const graph_model& model, const settings& options,
                             channel_memory memory, std::size_t bytes, bool control)
    : model_(model),
      options_(options),
      memory_(memory),
      pool_(bytes),
      control_(control),
      unit_(unit_for(model, options, control)),
      past_(model.stacks.size()) {
  for (std::size_t i = 0; i < past_.size(); ++i) past_[i].name = model.stacks[i].name;
}

channel_state* channel_table::prepare(std::uint32_t stack, std::uint32_t level,
                                      std::uint64_t wanted, bool insist) {
  const stack_model& s = model_.stacks[stack];
  channel_state* const now = find(stack, level);
  if (!s.levels) return now != nullptr ? now : make(stack, level, s.capacity);
  if (now != nullptr && large_enough(stack, now->geometry.capacity, wanted)) return now;
  if (options_.levels != 0 && level >= options_.levels) return nullptr;

  const std::uint32_t most = std::max(std::bit_floor(s.capacity), smallest_capacity);
  auto capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      std::bit_ceil(std::max<std::uint64_t>(wanted, smallest_capacity)), most));
  if (now != nullptr) {
    if (capacity <= now->geometry.capacity) return now;
    reclaim(*now);
  }
  // No channel takes more than a sixteenth of what is left for large ones, so that the deepest
  // level so far leaves memory for the next.
  while (!insist && capacity > smallest_capacity && bytes_of(stack, capacity) > large_room() / 16)
    capacity /= 2;
  if (now != nullptr) {
    if (capacity <= now->geometry.capacity) return now;
    if (now->idle()) {  // the larger one may fit where it was
      destroy(*now);
      channel_state* made = make(stack, level, capacity);
      return made != nullptr ? made : make(stack, level, smallest_capacity);
    }
    channel_state* const larger = make(stack, level, capacity);
    if (larger == nullptr) return now;
    now->current = false;
    return larger;
  }
  channel_state* made = make(stack, level, capacity);
  if (made == nullptr) made = make(stack, level, smallest_capacity);
  if (made == nullptr && release_idle()) made = make(stack, level, smallest_capacity);
  return made;
}

bool channel_table::prepare_all(const node_model& node, std::uint32_t level,
                                const std::function<std::uint64_t(const output_model&)>& wanted,
                                bool insist) {
  prepared_.clear();
  for (const output_model& o : node.outputs) {
    channel_state* const to = prepare(o.stack, level_of(o, level), wanted(o), insist);
    if (to == nullptr) continue;
    ++to->promised;  // not idle, so the next does not take its memory
    prepared_.push_back(to);
  }
  for (channel_state* const to : prepared_) --to->promised;
  return prepared_.size() == node.outputs.size();
}

std::size_t channel_table::large_room() const {
  const std::size_t share = pool_.size() / 2;
  return share > large_in_use_ ? std::min(share - large_in_use_, pool_.size() - pool_.in_use()) : 0;
}

std::size_t channel_table::bytes_of(std::uint32_t stack, std::uint32_t capacity) const {
  const stack_model& s = model_.stacks[stack];
  const std::size_t bytes = bytes_for(s, options_, capacity, control_);
  return s.levels ? round_up(bytes, unit_) : bytes;
}

channel_state* channel_table::make(std::uint32_t stack, std::uint32_t level,
                                   std::uint32_t capacity) {
  capacity = std::bit_ceil(capacity);
  const stack_model& s = model_.stacks[stack];
  const channel_geometry geometry = geometry_for(s, options_, capacity, control_);
  const auto block = pool_.take(bytes_of(stack, capacity));
  if (!block) return nullptr;
  std::uint32_t id = 0;
  if (free_ids_.empty()) {
    id = static_cast<std::uint32_t>(states_.size());
    states_.emplace_back();
  } else {
    id = free_ids_.back();
    free_ids_.pop_back();
  }
  states_[id] = std::make_unique<channel_state>();
  channel_state& c = *states_[id];
  std::byte* const control = memory_.control + block->offset;
  const std::size_t before_data = channel_view::zeroed_bytes(geometry, has_control(stack));
  std::memset(control, 0, before_data);
  c.bound = {channel_view(control, geometry, has_control(stack),
                          memory_.data + block->offset + before_data),
             id};
  c.frames = s.frames;
  if (blank_ && s.frames && !s.control) blank_(c.bound.view.data(), s.data_bytes(capacity));
  c.stack = stack;
  c.level = level;
  c.geometry = geometry;
  c.block = *block;
  if (levels_.size() <= level) {
    levels_.resize(level + 1, {{}, std::vector<channel_state*>(model_.stacks.size()), 0, 0});
    active_.reach(level);
  }
  levels_[level].channels.push_back(&c);
  levels_[level].current[stack] = &c;
  if (block->bytes > unit_) large_in_use_ += block->bytes;
  ++made_;
  return &c;
}

void channel_table::destroy(channel_state& c) {
  channel_statistics& past = past_[c.stack];
  if (c.bound.view.reserved() != 0) past.levels = std::max(past.levels, c.level + 1);
  past.most_in_level = std::max(past.most_in_level, c.most_live);
  past.largest_capacity = std::max(past.largest_capacity, c.geometry.capacity);
  past.elements += c.bound.view.reserved();
  if (c.block.bytes > unit_) large_in_use_ -= c.block.bytes;
  pool_.give_back(c.block);
  std::erase(levels_[c.level].channels, &c);
  if (c.current) levels_[c.level].current[c.stack] = nullptr;
  free_ids_.push_back(c.bound.id);
  states_[c.bound.id].reset();
}

void channel_table::set_live(channel_state& c, std::uint64_t live) {
  if ((c.live == 0) != (live == 0)) {
    level_row& row = levels_[c.level];
    if (live != 0) {
      ++row.live_channels;
      deepest_ = std::max<std::int64_t>(deepest_, c.level);
    } else {
      --row.live_channels;
    }
  }
  c.live = live;
  c.most_live = std::max(c.most_live, live);
}

void channel_table::resume(channel_state& c, const handover_channel& now, std::vector<run> taken) {
  c.ready = {};
  c.eligible = 0;
  for (std::uint32_t i = 0; i < now.run_count; ++i) {
    c.ready.push(now.runs[i]);
    taken.push_back(now.runs[i]);
  }
  std::sort(taken.begin(), taken.end(), by_ticket);
  c.bound.view.move_to(taken.empty() ? now.tail : taken.front().first, now.tail);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const std::uint64_t next = i + 1 < taken.size() ? taken[i + 1].first : now.tail;
    const std::uint64_t end = taken[i].end();
    c.bound.view.tfree({end, static_cast<std::uint32_t>(next - end)});
  }
  c.most_live = std::max(c.most_live, now.most_live);
  if (c.ready.count() != 0) became_ready(c, 0);
  reclaim(c);
}

void channel_table::resume_counted(channel_state& c, const handover_channel& now,
                                   const std::uint32_t* done) {
  const channel_view& view = c.bound.view;
  const std::uint64_t group = now.done_group;
  view.move_to(now.head, now.tail);
  for (std::uint64_t t = now.head / group * group; t < now.tail; t += group) {
    const std::uint32_t among = done[(t & (now.capacity - 1)) / group];
    // Only the number of tickets of a group counts, not which. `move_to` has counted those before
    // the head.
    view.tfree({t, among});
  }
  c.most_live = std::max(c.most_live, now.most_live);
  reclaim(c);
}

bool channel_table::collect(channel_state& c) {
  if (!has_control(c.stack)) return false;
  const std::uint64_t before = c.ready.count();
  while (const run r = c.bound.view.peek(c.position)) {
    c.ready.push(r);
    ++c.position;
  }
  if (c.ready.count() == before) return false;
  became_ready(c, before);
  return true;
}

void channel_table::enqueue(channel_state& c, run elements) {
  if (!elements) return;
  if (has_control(c.stack)) {
    c.bound.view.enq(elements);
    return;
  }
  const std::uint64_t before = c.ready.count();
  c.ready.push(elements);
  became_ready(c, before);
}

void channel_table::became_ready(channel_state& c, std::uint64_t before) {
  if (before == 0) c.arrival = ++arrivals_;
  mark_active(c.level);
}

void channel_table::reclaim(channel_state& c) {
  c.bound.view.reclaim();
  set_live(c, c.bound.view.live());
}

void channel_table::refresh(channel_state& c) {
  collect(c);
  // What others enqueue after the collection is seen at the next refresh.
  reclaim(c);
  if (!c.current && c.idle()) destroy(c);
}

std::int64_t channel_table::deepest() {
  const auto at_rest = [this](std::int64_t level) {
    const level_row& row = levels_[static_cast<std::size_t>(level)];
    return row.live_channels == 0 && row.in_flight == 0;
  };
  while (deepest_ >= 0 && at_rest(deepest_)) --deepest_;
  return deepest_;
}

void channel_table::release_frames() {
  const std::int64_t level = deepest();
  if (level < 0 || in_flight(static_cast<std::uint32_t>(level)) != 0) return;
  for (channel_state* const c : at(static_cast<std::uint32_t>(level))) {
    if (!c->frames) continue;
    c->eligible = c->ready.count();
    c->resumable.insert(c->resumable.end(), c->suspended.begin(), c->suspended.end());
    c->suspended.clear();
    if (c->eligible != 0 || !c->resumable.empty()) mark_active(c->level);
  }
}

bool channel_table::is_empty() {
  for (std::uint32_t level = 0; level < level_count(); ++level) {
    for (channel_state* const c : at(level)) {
      collect(*c);
      reclaim(*c);
      if (c->live != 0) return false;
    }
  }
  return true;
}

void channel_table::mark_active(std::uint32_t level) { active_.add(level); }

void channel_table::for_each_active(const std::function<bool(std::uint32_t)>& visit) {
  for (std::int64_t at = active_.deepest_before(level_count()); at >= 0;
       at = active_.deepest_before(at)) {
    const auto level = static_cast<std::uint32_t>(at);
    if (!visit(level)) active_.remove(level);
  }
}

bool channel_table::release_idle() {
  bool any = false;
  for (level_row& row : levels_) {
    for (std::size_t i = row.channels.size(); i-- > 0;) {
      channel_state& c = *row.channels[i];
      if (!model_.stacks[c.stack].levels) continue;
      reclaim(c);
      if (c.idle()) {
        destroy(c);
        any = true;
      }
    }
  }
  return any;
}

void channel_table::add_to(statistics& s) const {
  std::vector<channel_statistics> sums = past_;
  for (const auto& c : states_) {
    if (!c) continue;
    channel_statistics& sum = sums[c->stack];
    // A channel that was made and never written to is no level of the run.
    if (c->bound.view.reserved() != 0) sum.levels = std::max(sum.levels, c->level + 1);
    sum.most_in_level = std::max(sum.most_in_level, c->most_live);
    sum.largest_capacity = std::max(sum.largest_capacity, c->geometry.capacity);
    sum.elements += c->bound.view.reserved();
  }
  for (const channel_statistics& sum : sums)
    s.deepest_level = std::max(s.deepest_level, std::max(sum.levels, 1U) - 1);
  s.channels = std::move(sums);
  s.channels_made = made_;
  s.memory_high_water = pool_.high_water();
  s.memory_limit = pool_.size();
}

}  // namespace channels::detail
