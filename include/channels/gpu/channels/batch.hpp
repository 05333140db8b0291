#pragma once

#include "channels/detail/batch.hpp"
#include "channels/gpu/channels/run_log.hpp"
#include "channels/gpu/channels/task_heap.hpp"
#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/lane_random.hpp"
#include "channels/gpu/tuning.hpp"

/// A batch as a GPU's kernel gets it. The GPU does not touch what the aggregator works on, the
/// counters and control words of channels: the host reserves a window of each channel that the
/// batch may write to, wavefronts take from the windows with one atomic each, and the host enqueues
/// what they took when the batch has ended.
namespace channels::gpu::detail {

/// Channels that one node may write to.
inline constexpr std::uint32_t most_outputs = 24;

/// Elements of a channel that a batch may write.
struct window {
  std::byte* data;        ///< of the channel
  std::uint64_t first;    ///< ticket
  std::uint32_t count;    ///< tickets from there on
  std::uint32_t mask;     ///< capacity - 1
  std::uint32_t channel;  ///< `bound_channel::id`
};

/// What a lane tells the aggregator of some elements or frames.
struct remark {
  enum what : std::uint32_t {
    no_room,            ///< could not begin, or yielded: a restart context
    suspended,          ///< a frame waits for its children again (levelized): likewise
    ready,              ///< a frame whose last child has finished (counted): likewise
    kept,               ///< a frame that waits again (counted): not to be freed, and nothing else
    unused,             ///< taken from a window, and not written to
    no_memory,          ///< yielded where it allocates: a restart context
    no_memory_granted,  ///< likewise, although it may have what is kept
  };
  std::uint64_t ticket;
  std::uint32_t channel;
  std::uint32_t kind_and_count;

  [[nodiscard]] what kind() const { return static_cast<what>(kind_and_count & 7U); }
  /// Tickets.
  [[nodiscard]] std::uint32_t count() const { return kind_and_count >> 3U; }
};

/// The host gets the first ones at once, and copies the rest if there are more.
inline constexpr std::uint32_t near_remarks = 4096;

/// What comes back from a batch, in the host's memory.
struct batch_report {
  std::uint32_t taken[most_outputs];  ///< of each window; more than there was if some went without
  std::uint32_t remarks;
  std::uint32_t frames;    ///< see `batch_counters::frames`
  std::uint32_t released;  ///< tasks that have given memory back
  std::uint64_t began;     ///< nanoseconds of the device's clock
  std::uint64_t ended;
  std::uint32_t number;  ///< of the batch that has ended
};

/// Words of a batch in the device's memory; 0 when it starts.
struct batch_counters {
  std::uint32_t taken[most_outputs];
  std::uint32_t remarks;
  /// Counted, with the aggregator on the device: frames resumed, or more, if some found the batch's
  /// budget used up; of a pre-spawn node, frames that were taken and not needed.
  std::uint32_t frames;
  std::uint32_t released;  ///< tasks that have given memory back
  std::uint32_t waves_done;
  std::uint64_t began;
};

/// Those of a batch that wavefronts of the whole device run. What they take of each window is
/// counted in a line of its own: a line takes an atomic in a nanosecond or so, from all of them.
struct far_counters {
  struct alignas(128) word {
    std::uint32_t value;
  };
  batch_counters counts;  ///< without `taken`
  word taken[most_outputs];
};

/// The done counts of a channel of frames of the counted rule, while an aggregator on the device
/// has it: frames end there in any order, and their lanes free them.
struct frame_counts {
  std::uint32_t* done;  ///< of each group
  std::uint32_t mask;   ///< capacity - 1
  std::uint32_t group;  ///< elements that share a count

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* of(std::uint64_t ticket) const {
    return done + (static_cast<std::uint32_t>(ticket) & mask) / group;
  }
  /// Release: the aggregator gives the space away when it has acquired the count.
  CHANNELS_GPU_INLINE void free(std::uint64_t ticket) const {
    fetch_add<order::release>(of(ticket), 1U);
  }
};

struct batch_parameters {
  std::byte* source;
  std::uint32_t source_mask;
  std::uint32_t source_channel;
  std::uint32_t count;
  std::uint32_t level;
  std::uint32_t number;
  std::uint32_t part;          ///< the first of those that its wavefronts have in accumulators
  std::uint32_t refuse_share;  ///< in 2^-32
  std::uint32_t seed;
  const std::uint64_t* tickets;  ///< of the elements; null: `runs`
  std::uint64_t first[batch::most_runs];
  std::uint32_t before[batch::most_runs];  ///< elements in the runs before this one
  std::uint32_t run_count;
  // With the aggregator on the device, for tasks of the counted rule.
  std::uint32_t* tallies;  ///< by channel: frames that became ready there; else null
  frame_counts frames;     ///< of the task's own frames
  std::uint32_t budget;    ///< frames that a post-spawn node may resume
  task_heap heap;          ///< for tasks that allocate
  std::uint32_t grants;    ///< 1: its frames may have what is kept there
  window outputs[most_outputs];
  batch_counters* counters;
  std::uint32_t* taken;      ///< what is taken of the first output's window
  std::uint32_t taken_step;  ///< from an output's to the next one's
  batch_report* report;
  remark* remarks;       ///< in the host's memory: the first `near_remarks`
  remark* more_remarks;  ///< in the device's, for as many as there can be
  std::uint32_t node;
  work_log log;

  CHANNELS_INLINE CHANNELS_DEVICE void count_in(batch_counters& c) {
    counters = &c;
    taken = c.taken;
    taken_step = 1;
  }
  CHANNELS_INLINE CHANNELS_DEVICE void count_in(far_counters& c) {
    counters = &c.counts;
    taken = &c.taken[0].value;
    taken_step = sizeof(far_counters::word) / sizeof(std::uint32_t);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* taken_of(std::uint32_t output) const {
    return taken + output * taken_step;
  }

  /// The ticket of the batch's `i`th element.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t ticket(std::uint32_t i) const {
    if (run_count == 1) return first[0] + i;
    if (tickets != nullptr) return tickets[i];
    std::uint32_t r = run_count - 1;
    while (before[r] > i) --r;
    return first[r] + (i - before[r]);
  }
};

/// What this work-group notes of its part of a batch with so many wavefronts.
CHANNELS_GPU_INLINE unit_work work_of(const batch_parameters& b, std::uint64_t began,
                                      std::uint64_t ended, std::uint32_t waves) {
  return {began,
          ended,
          static_cast<std::uint16_t>(b.node),
          static_cast<std::uint16_t>(compute_unit()),
          b.level,
          b.count,
          waves};
}

/// Which of a batch's wavefronts this is, and what it has for itself.
struct batch_place {
  std::uint32_t wave;
  std::uint32_t waves;  ///< of the batch
  std::uint32_t part;   ///< of accumulators
  std::byte* memory;    ///< of its work-group, for leaves; null if no node has any
};

/// In a kernel that runs one batch.
CHANNELS_GPU_INLINE batch_place place_in_kernel(const batch_parameters& b, std::uint32_t waves,
                                                std::size_t leaf_bytes = 0) {
  const std::uint32_t wave = item_index() / wave_width;
  return {wave, waves, b.part + wave,
          reinterpret_cast<std::byte*>(group_memory()) + wave % batch_waves * leaf_bytes};
}

/// What one lane needs to take part in a batch.
class batch_lane {
 public:
  CHANNELS_GPU_INLINE batch_lane(const batch_parameters& b, const batch_place& at)
      : batch_(b), at_(at), random_(b.seed, item()) {}

  [[nodiscard]] CHANNELS_GPU_INLINE const batch_parameters& batch() const { return batch_; }
  [[nodiscard]] CHANNELS_GPU_INLINE const batch_place& at() const { return at_; }
  /// Which of the batch's lanes this is: the first element that it takes.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t item() const {
    return at_.wave * wave_width + lane_index();
  }
  /// Of the wavefront, those that get an element: the first ones.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t lanes() const {
    const std::uint32_t before = at_.wave * wave_width;
    return before >= batch_.count ? 0 : min(batch_.count - before, std::uint32_t{wave_width});
  }
  /// Of the batch: how far apart the elements are that a lane takes.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t items() const { return at_.waves * wave_width; }

  /// True as often as the settings say that room is refused.
  CHANNELS_GPU_INLINE bool refuses() { return random_.hits(batch_.refuse_share); }

  CHANNELS_GPU_INLINE void say(typename remark::what kind, std::uint32_t channel,
                               std::uint64_t ticket, std::uint32_t count = 1) {
    const std::uint32_t at = claim(&batch_.counters->remarks);
    remark* const to = at < near_remarks ? batch_.remarks + at : batch_.more_remarks + at;
    *to = {ticket, channel, count << 3U | kind};
  }

  /// Ends the batch for this wavefront. The last one tells the host. All lanes call it together,
  /// when none of them does anything more.
  CHANNELS_GPU_INLINE void end() {
    converge();
    if (notes()) {
      batch_.log.entries[(batch_.log.first + group_index()) & batch_.log.mask] =
          work_of(batch_, began_, clock_ns(), at_.waves);
    }
    batch_counters& c = *batch_.counters;
    if (at_.waves != 1) {
      // What this wavefront wrote comes before its count, for whoever runs the next batch and for
      // the host, which reads remarks.
      release_to_system();
      std::uint32_t before = 0;
      if (lane_index() == 0) before = fetch_add<order_beside_fences>(&c.waves_done, 1U);
      if (of_lane(before, 0) != at_.waves - 1) return;
      acquire_from_device();
    }
    batch_report& r = *batch_.report;
    for (std::uint32_t i = lane_index(); i < most_outputs; i += wave_width) {
      r.taken[i] = load<order::relaxed>(batch_.taken_of(i));
      *batch_.taken_of(i) = 0;
    }
    if (lane_index() == 0) {
      r.remarks = load<order::relaxed>(&c.remarks);
      r.began = load<order::relaxed>(&c.began);
      r.ended = clock_ns();
      r.released = load<order::relaxed>(&c.released);
      c.remarks = 0;
      c.released = 0;
      c.waves_done = 0;
    }
    converge();
    release_to_system();
    // Release: the host acquires the number, and then reads the report and the remarks.
    if (lane_index() == 0) channels::detail::atomic_store<order::release>(&r.number, batch_.number);
  }

  CHANNELS_GPU_INLINE void begin() {
    if (item() == 0) store<order::relaxed>(&batch_.counters->began, clock_ns());
    if (notes()) began_ = clock_ns();
  }

 private:
  /// Whether this lane notes when its work-group ran: by its first wavefront.
  [[nodiscard]] CHANNELS_GPU_INLINE bool notes() const {
    return batch_.log.entries != nullptr && wave_in_group() == 0 && lane_index() == 0;
  }

  const batch_parameters& batch_;
  batch_place at_;
  lane_random random_;
  std::uint64_t began_ = 0;
};

/// A lane's end of a channel that it writes to: elements that it has taken from the window.
class window_port {
 public:
  window_port() = default;
  CHANNELS_GPU_INLINE window_port(const batch_parameters& b, std::uint32_t output)
      : output_(output), mask_(b.outputs[output].mask), data_(b.outputs[output].data) {}

  /// Makes sure of `count` elements. False if there are not so many: nothing has changed.
  CHANNELS_GPU_INLINE bool reserve(batch_lane& lane, std::uint32_t count) {
    return end_ - next_ >= count ||
           take(lane, count, [count](std::uint32_t* counter, std::uint32_t limit, bool look) {
             return claim(counter, count, limit, look);
           });
  }
  /// Likewise for one.
  CHANNELS_GPU_INLINE bool reserve_one(batch_lane& lane) {
    return end_ != next_ ||
           take(lane, 1, [](std::uint32_t* counter, std::uint32_t limit, bool look) {
             return claim_one(counter, limit, look);
           });
  }
  /// The next element's slot. It was reserved.
  CHANNELS_GPU_INLINE std::uint32_t next_slot() {
    return static_cast<std::uint32_t>(next_++) & mask_;
  }
  CHANNELS_GPU_INLINE void give_back_last() { --next_; }
  /// Leaves out the next element.
  CHANNELS_GPU_INLINE void skip() { ++next_; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t reserved() const {
    return static_cast<std::uint32_t>(end_ - next_);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::byte* data() const { return data_; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t capacity() const { return mask_ + 1; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t next_ticket() const { return next_; }

  /// Says what was taken and not used.
  CHANNELS_GPU_INLINE void close(batch_lane& lane) {
    if (next_ != end_) {
      lane.say(remark::unused, lane.batch().outputs[output_].channel, next_,
               static_cast<std::uint32_t>(end_ - next_));
    }
    next_ = end_ = 0;
  }

 private:
  template <class Claim>
  CHANNELS_GPU_INLINE bool take(batch_lane& lane, std::uint32_t count, const Claim& claim_from) {
    const window& w = lane.batch().outputs[output_];
    if (w.count == 0 || lane.refuses()) return false;
    // A look first keeps the counter from overflowing, but takes as long as the claim itself. So
    // only who has found too little looks, or wants much.
    const std::uint32_t at =
        claim_from(lane.batch().taken_of(output_), w.count, is_short_ || count > wave_width);
    if (at > w.count || count > w.count - at) {
      is_short_ = true;
      // The first that goes without leaves what there is to nobody.
      if (at < w.count) lane.say(remark::unused, w.channel, w.first + at, w.count - at);
      return false;
    }
    close(lane);
    next_ = w.first + at;
    end_ = next_ + count;
    return true;
  }

  std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
  std::uint32_t output_ = 0;
  std::uint32_t mask_ = 0;
  bool is_short_ = false;  ///< found less than it wanted
  std::byte* data_ = nullptr;
};

}  // namespace channels::gpu::detail
