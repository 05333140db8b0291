#pragma once

#include "channels/gpu/channels/batch.hpp"
#include "channels/gpu/port/lane_random.hpp"

/// What lanes do in a batch, whatever its kernel node: take part in it, and write to channels.
/// One lane calls a function, unless it says otherwise.
namespace channels::gpu::detail {

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
  /// How many lanes of the wavefront get an element; these are the first ones.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t lanes() const {
    const std::uint32_t before = at_.wave * wave_width;
    return before >= batch_.count ? 0 : min(batch_.count - before, std::uint32_t{wave_width});
  }
  /// How far apart the elements are that a lane takes: the lanes of the batch.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t items() const { return at_.waves * wave_width; }

  /// True as often as the settings say that room is refused.
  CHANNELS_GPU_INLINE bool refuses() { return random_.hits(batch_.refuse_share); }

  CHANNELS_GPU_INLINE void say(typename remark::what kind, std::uint32_t channel,
                               std::uint64_t ticket, std::uint32_t count = 1) {
    const std::uint32_t at = claim(&batch_.counters->remarks);
    remark* const to = at < pinned_remarks ? batch_.remarks + at : batch_.more_remarks + at;
    *to = {ticket, channel, count << 3U | kind};
  }

  /// Notes that this lane asked for `asked` elements of an output in vain. `pushed`: by a push, so
  /// that an element is lost.
  CHANNELS_GPU_INLINE void deny(std::uint32_t asked, std::uint32_t output, bool pushed) {
    if (!denied_.pushed) denied_ = {asked, static_cast<std::uint16_t>(output), pushed};
  }
  /// Whether a push of the element at hand, or of one before it, found no room.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_lost() const { return denied_.pushed; }
  /// Says what this lane asked for in vain, for the element with this ticket.
  CHANNELS_GPU_INLINE void say_denied(std::uint64_t ticket) {
    say(remark::denied, batch_.source_channel, ticket, remark::number_of(denied_));
  }

  /// Ends the batch for this wavefront; the last one reports to the host. All lanes of the
  /// wavefront call it together, as their last act. Release, system.
  CHANNELS_GPU_INLINE void end() {
    converge();
    if (notes()) {
      batch_.log.entries[(batch_.log.first + group_index()) & batch_.log.mask] =
          work_of(batch_, began_, clock_ns(), at_.waves);
    }
    batch_counters& c = *batch_.counters;
    if (at_.waves != 1) {
      // What this wavefront wrote comes before its count, for the next batch and for the host,
      // which reads remarks.
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
  denied_room denied_;
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
           (!lane.refuses() &&
            take(lane, count, [count](std::uint32_t* counter, std::uint32_t limit, bool look) {
              return claim(counter, count, limit, look);
            }));
  }
  /// Makes sure of one element.
  CHANNELS_GPU_INLINE bool reserve_one(batch_lane& lane) {
    return end_ != next_ || (!lane.refuses() && take_one(lane));
  }
  /// The same, although the settings say that room is refused at times.
  CHANNELS_GPU_INLINE bool ensure_one(batch_lane& lane) { return end_ != next_ || take_one(lane); }
  /// The next element's slot. It was reserved.
  CHANNELS_GPU_INLINE std::uint32_t next_slot() {
    return static_cast<std::uint32_t>(next_++) & mask_;
  }
  CHANNELS_GPU_INLINE void give_back_last() { --next_; }
  /// Skips the next element.
  CHANNELS_GPU_INLINE void skip() { ++next_; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t reserved() const {
    return static_cast<std::uint32_t>(end_ - next_);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::byte* data() const { return data_; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t capacity() const { return mask_ + 1; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t next_ticket() const { return next_; }
  /// The number of the node's output that it writes to.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t output() const { return output_; }

  /// Says by a remark what was taken and not used.
  CHANNELS_GPU_INLINE void close(batch_lane& lane) {
    if (next_ != end_) {
      lane.say(remark::unused, lane.batch().outputs[output_].channel, next_,
               static_cast<std::uint32_t>(end_ - next_));
    }
    next_ = end_ = 0;
  }

 private:
  CHANNELS_GPU_INLINE bool take_one(batch_lane& lane) {
    return take(lane, 1, [](std::uint32_t* counter, std::uint32_t limit, bool look) {
      return claim_one(counter, limit, look);
    });
  }
  template <class Claim>
  CHANNELS_GPU_INLINE bool take(batch_lane& lane, std::uint32_t count, const Claim& claim_from) {
    const window& w = lane.batch().outputs[output_];
    if (w.count == 0) return false;
    // A look first keeps the counter from overflowing, but takes as long as the claim itself. So
    // only a lane looks that has found too little before, or that wants much.
    const std::uint32_t at =
        claim_from(lane.batch().taken_of(output_), w.count, is_short_ || count > wave_width);
    if (at > w.count || count > w.count - at) {
      is_short_ = true;
      // The first lane that goes without gives back what is left: no other lane gets it.
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
