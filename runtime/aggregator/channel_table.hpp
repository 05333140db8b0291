#pragma once

#include <cstdint>     // fixed-width integers
#include <functional>  // function
#include <memory>      // unique_ptr
#include <vector>      // vector

#include "channels/detail/device.hpp"
#include "channels/detail/handover.hpp"
#include "channels/detail/model.hpp"
#include "channels/settings.hpp"
#include "channels/statistics.hpp"
#include "runtime/aggregator/channel_state.hpp"
#include "runtime/aggregator/level_set.hpp"
#include "runtime/aggregator/memory_pool.hpp"

namespace channels::detail {

/// The bytes of channel memory in which a run of `levels` levels completes, whatever it does: half
/// for channels of the smallest size, half for larger ones, and what restart contexts take.
[[nodiscard]] std::size_t minimum_bytes(const graph_model& model, const settings& options,
                                        std::uint32_t levels);

/// The channels of a run. Invariant: for each level and each stack at most one channel is current,
/// which takes new elements; the others have been replaced by a larger one and still hold some. The
/// table makes channels when a level is first written to, as large as what is above them needs, and
/// takes the memory of empty ones back when it runs short: the depth of a run is limited by memory
/// alone. Only the aggregator's thread uses it.
class channel_table {
 public:
  /// Channels of a stack start no smaller.
  static constexpr std::uint32_t smallest_capacity = 4;

  /// Uses `bytes` bytes of `memory`. `control`: whether the device enqueues, so that channels have
  /// control arrays.
  channel_table(const graph_model& model, const settings& options, channel_memory memory,
                std::size_t bytes, bool control = true);
  channel_table(const channel_table&) = delete;
  channel_table& operator=(const channel_table&) = delete;

  /// The channel that new elements of `stack` at `level` go to, made or enlarged to hold `wanted`
  /// if that is possible. Null if there is none and no memory for one, or `level` is beyond the
  /// limit. `insist`: take as much as that needs, and leave others what remains.
  channel_state* prepare(std::uint32_t stack, std::uint32_t level, std::uint64_t wanted,
                         bool insist = false);
  /// The same for all channels that `node` writes to from `level`, without taking memory from one
  /// of them for another. `wanted`: elements, by output. True if there is a channel for each.
  bool prepare_all(const node_model& node, std::uint32_t level,
                   const std::function<std::uint64_t(const output_model&)>& wanted,
                   bool insist = false);
  /// The level at which a node that consumes `level` writes to `o`.
  [[nodiscard]] std::uint32_t level_of(const output_model& o, std::uint32_t level) const {
    return model_.stacks[o.stack].levels ? level + o.step : 0;
  }
  /// The current channel of `stack` at `level`, or null. Changes nothing.
  [[nodiscard]] channel_state* find(std::uint32_t stack, std::uint32_t level) const {
    return level < levels_.size() ? levels_[level].current[stack] : nullptr;
  }
  [[nodiscard]] channel_state& by_id(std::uint32_t id) const { return *states_[id]; }

  /// Brings `c` to the state in which the device aggregator left it. `taken`: elements and windows
  /// of batches that it left to the host.
  void resume(channel_state& c, const handover_channel& now, std::vector<run> taken);
  /// The same for frames of the counted rule. `done`: the done counts of all groups.
  void resume_counted(channel_state& c, const handover_channel& now, const std::uint32_t* done);

  /// Reads what was enqueued and reclaims what was freed. Destroys the channel if it has been
  /// replaced and is empty: do not use it afterwards.
  void refresh(channel_state& c);
  /// Reads what was enqueued. True if that was anything.
  bool collect(channel_state& c);
  /// Enqueues `elements` that the host pushed or that a device has reported.
  void enqueue(channel_state& c, run elements);
  /// Makes what was freed available again.
  void reclaim(channel_state& c);
  /// The levelized rule: when no deeper level holds anything and nothing of this level runs, all
  /// children of its frames have finished, and the frames may be resumed. What is enqueued later
  /// waits for the next call.
  void release_frames();
  /// Reads and reclaims all channels. True if none holds anything. Nothing is in flight.
  [[nodiscard]] bool is_empty();

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

  /// Visits levels that may hold a candidate, deepest first. `visit` returns whether its level
  /// still does.
  void for_each_active(const std::function<bool(std::uint32_t level)>& visit);
  void mark_active(std::uint32_t level);

  /// Frees the memory of every empty channel. True if there was one.
  bool release_idle();
  /// The bytes that a channel of `capacity` elements of `stack` takes.
  [[nodiscard]] std::size_t bytes_of(std::uint32_t stack, std::uint32_t capacity) const;
  [[nodiscard]] const memory_pool& pool() const { return pool_; }
  [[nodiscard]] const graph_model& model() const { return model_; }

  void add_to(statistics& s) const;
  /// From now on calls `blank` with the memory of each new channel of frames of the counted rule.
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
  /// Bytes of the smallest channel of any stack: every channel takes a multiple.
  std::size_t unit_ = cache_line;
  std::size_t large_in_use_ = 0;  ///< bytes of channels above the smallest size
  std::vector<level_row> levels_;
  std::vector<std::unique_ptr<channel_state>> states_;  ///< by id
  std::vector<std::uint32_t> free_ids_;
  std::vector<channel_state*> prepared_;  ///< used inside `prepare_all` only
  std::int64_t deepest_ = -1;
  level_set active_;  ///< levels that may hold a candidate
  std::uint64_t arrivals_ = 0;
  std::vector<channel_statistics> past_;  ///< of destroyed channels, by stack
  std::uint64_t made_ = 0;
  std::function<void(std::byte* data, std::size_t bytes)> blank_;
};

}  // namespace channels::detail
