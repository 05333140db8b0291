#pragma once

#include <array>       // array
#include <cstdint>     // fixed-width integers
#include <functional>  // function
#include <memory>      // unique_ptr
#include <vector>      // vector

#include "channels/detail/batch.hpp"
#include "channels/detail/device.hpp"
#include "channels/detail/model.hpp"
#include "channels/settings.hpp"
#include "channels/statistics.hpp"
#include "runtime/aggregator/memory_pool.hpp"

namespace channels::detail {

/// Runs of ready elements, oldest first. A vector with a moving front: it is mostly one or two runs
/// long.
class run_queue {
 public:
  void push(run r);
  void push_front(run r);
  /// Takes up to `most` elements as up to `runs` runs; returns how many elements.
  std::uint32_t take(run* into, std::uint32_t runs, std::uint32_t most, std::uint32_t& taken_runs);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::size_t runs() const { return runs_.size() - front_; }
  /// Writes down up to `most` runs, which stay, in the order of their tickets: batches end and give
  /// back in any order. Returns how many.
  std::uint32_t copy_by_ticket(run* to, std::uint32_t most) const;

 private:
  std::vector<run> runs_;
  std::size_t front_ = 0;
  std::uint64_t count_ = 0;
};

/// Channel memory with which a run of `levels` levels completes, whatever it does: half for
/// channels of the smallest size, half for larger ones, and what restart contexts take.
[[nodiscard]] std::size_t minimum_bytes(const graph_model& model, const settings& options,
                                        std::uint32_t levels);

/// What the aggregator knows of one channel.
struct channel_state {
  bound_channel bound;  ///< what the device sees; `bound.id` is the channel's number
  std::uint32_t stack = 0;
  std::uint32_t level = 0;
  channel_geometry geometry;
  memory_block block;
  bool current = true;  ///< new elements go here; otherwise a larger channel has taken its place

  std::uint64_t position = 0;  ///< control words collected
  run_queue ready;
  std::uint64_t eligible = 0;  ///< of `ready`, frames whose children have finished (levelized)
  std::vector<std::uint64_t> waiting;    ///< frames that yielded: they need room below
  std::vector<std::uint64_t> starved;    ///< frames that yielded: they need memory
  std::vector<std::uint64_t> granted;    ///< of those, some that may have what is kept
  std::vector<std::uint64_t> suspended;  ///< frames at a later sync (levelized)
  std::vector<std::uint64_t> resumable;  ///< frames whose children have finished, one by one

  std::uint32_t in_flight = 0;  ///< batches of its elements
  std::uint64_t promised = 0;   ///< elements that batches in flight may yet write here
  std::uint64_t live = 0;       ///< as of the last refresh
  std::uint64_t arrival = 0;    ///< when its oldest ready element was seen
  /// Progress counts at which nothing of it could run, by what waited for what.
  std::array<std::uint64_t, 3> refused_at{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};
  std::uint64_t most_live = 0;
  /// Elements that `hand_over` has tried to make room for.
  std::uint64_t asked = 0;

  [[nodiscard]] std::uint64_t free() const {
    const std::uint64_t used = live + promised;
    return used < geometry.capacity ? geometry.capacity - used : 0;
  }
  [[nodiscard]] bool idle() const { return live == 0 && in_flight == 0 && promised == 0; }
};

/// The channels of a run: for each level and each stack one that takes new elements, and perhaps
/// smaller ones that it replaced and that still hold some. Makes channels when a level is first
/// written to, as large as what is above them needs, and takes the memory of empty ones back when
/// it runs short: the depth of a run is limited by memory alone.
class channel_table {
 public:
  /// Channels of a stack start no smaller.
  static constexpr std::uint32_t smallest_capacity = 4;

  /// Uses `bytes` bytes of `memory`. `control`: channels have control arrays, for those who enqueue
  /// are not the aggregator.
  channel_table(const graph_model& model, const settings& options, channel_memory memory,
                std::size_t bytes, bool control = true);
  channel_table(const channel_table&) = delete;
  channel_table& operator=(const channel_table&) = delete;

  /// The channel that new elements of `stack` at `level` go to, made or enlarged to hold `wanted`
  /// if that is possible. Null if there is none and no memory for one, or `level` is beyond the
  /// limit. `insist`: whatever that leaves for others.
  channel_state* prepare(std::uint32_t stack, std::uint32_t level, std::uint64_t wanted,
                         bool insist = false);
  /// The same for all that `node` writes to from `level`, without taking memory from one of them
  /// for another. `wanted`: elements, by output. True if there is a channel for each.
  bool prepare_all(const node_model& node, std::uint32_t level,
                   const std::function<std::uint64_t(const output_model&)>& wanted,
                   bool insist = false);
  /// The level at which a node that consumes `level` writes to `o`.
  [[nodiscard]] std::uint32_t level_of(const output_model& o, std::uint32_t level) const {
    return model_.stacks[o.stack].levels ? level + o.step : 0;
  }
  /// The same channel, or null; changes nothing.
  [[nodiscard]] channel_state* find(std::uint32_t stack, std::uint32_t level) const {
    return level < levels_.size() ? levels_[level].current[stack] : nullptr;
  }
  [[nodiscard]] channel_state& by_id(std::uint32_t id) const { return *states_[id]; }

  /// An aggregator on the device has left the channel so: see `handover_channel`. `taken`: what is
  /// in batches that were left.
  void resume(channel_state& c, const handover_channel& now, std::vector<run> taken);
  /// The same for frames of the counted rule. `done`: counts of all groups.
  void resume_counted(channel_state& c, const handover_channel& now, const std::uint32_t* done);

  /// Reads what was enqueued and reclaims what was freed. Destroys the channel if it has been
  /// replaced and is empty: do not use it afterwards.
  void refresh(channel_state& c);
  /// Reads what was enqueued. True if that was anything.
  bool collect(channel_state& c);
  /// Enqueues `elements` from outside; for the aggregator.
  void enqueue(channel_state& c, run elements);
  /// Reclaims what was freed.
  void reclaim(channel_state& c);

  /// The deepest level with a channel that holds anything, or -1.
  [[nodiscard]] std::int64_t deepest();
  [[nodiscard]] std::uint32_t level_count() const {
    return static_cast<std::uint32_t>(levels_.size());
  }
  [[nodiscard]] const std::vector<channel_state*>& at(std::uint32_t level) const {
    return levels_[level].channels;
  }
  /// True if a channel of `capacity` elements is as large as `prepare` would make it for `wanted`.
  [[nodiscard]] bool large_enough(std::uint32_t stack, std::uint32_t capacity,
                                  std::uint64_t wanted) const {
    return capacity >= wanted || capacity >= model_.stacks[stack].capacity ||
           !model_.stacks[stack].levels;
  }
  /// Batches in flight of all channels of a level.
  [[nodiscard]] std::uint32_t& in_flight(std::uint32_t level) { return levels_[level].in_flight; }

  /// Levels that may hold a candidate, deepest first; `visit` returns whether its level still does.
  void for_each_active(const std::function<bool(std::uint32_t level)>& visit);
  void mark_active(std::uint32_t level);

  /// Frees the memory of every empty channel. True if there was one.
  bool release_idle();
  /// The bytes that a channel of `capacity` elements of `stack` takes.
  [[nodiscard]] std::size_t bytes_of(std::uint32_t stack, std::uint32_t capacity) const;
  [[nodiscard]] const memory_pool& pool() const { return pool_; }
  [[nodiscard]] const graph_model& model() const { return model_; }

  void add_to(statistics& s) const;
  /// From now on `blank` gets the memory of each new channel of frames of the counted rule.
  void blank_frames_with(std::function<void(std::byte* data, std::size_t bytes)> blank) {
    blank_ = std::move(blank);
  }

 private:
  struct level_row {
    std::vector<channel_state*> channels;
    std::vector<channel_state*> current;  ///< by stack: the one that takes new elements, or null
    std::uint32_t live_channels = 0;
    std::uint32_t in_flight = 0;
  };

  void became_ready(channel_state& c, std::uint64_t before);
  /// Whether channels of `stack` have a control array.
  [[nodiscard]] bool has_control(std::uint32_t stack) const {
    return control_ && model_.stacks[stack].control;
  }
  channel_state* make(std::uint32_t stack, std::uint32_t level, std::uint32_t capacity);
  [[nodiscard]] std::size_t large_room() const;
  void destroy(channel_state& c);
  void set_live(channel_state& c, std::uint64_t live);

  const graph_model& model_;
  const settings& options_;
  channel_memory memory_;
  memory_pool pool_;
  bool control_;
  std::size_t unit_ =
      cache_line;  ///< every channel takes a multiple: what the smallest of any stack takes
  std::size_t large_in_use_ = 0;  ///< bytes of channels above the smallest size
  std::vector<level_row> levels_;
  std::vector<std::unique_ptr<channel_state>> states_;  ///< by id
  std::vector<std::uint32_t> free_ids_;
  std::vector<channel_state*> prepared_;  ///< by `prepare_all`, while it is at it
  std::int64_t deepest_ = -1;
  std::vector<std::uint64_t> active_;  ///< a bit for each level
  std::uint64_t arrivals_ = 0;
  std::vector<channel_statistics> past_;  ///< of destroyed channels, by stack
  std::uint64_t made_ = 0;
  std::function<void(std::byte* data, std::size_t bytes)> blank_;
};

}  // namespace channels::detail
