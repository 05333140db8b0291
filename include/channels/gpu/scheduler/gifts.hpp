#pragma once

#include "channels/gpu/scheduler/confined_run.hpp"
#include "channels/gpu/scheduler/run_end.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// The number of the bit of `mask` that has `rank` bits below it.
template <class Mask>
CHANNELS_GPU_INLINE unsigned nth(Mask mask, unsigned rank) {
  unsigned at = 0;
  CHANNELS_GPU_UNROLL
  for (unsigned half = sizeof(Mask) * 4; half != 0; half /= 2) {
    const unsigned below = count(static_cast<Mask>(mask >> at & ((Mask{1} << half) - 1)));
    if (rank >= below) {
      rank -= below;
      at += half;
    }
  }
  return at;
}

/// How wavefronts share work. One that is hungry sets its bit; one that has plenty clears the bit,
/// puts its oldest tasks into the other's inbox and sends a letter. So an inbox has one writer at a
/// time, and nobody waits. All lanes call its functions together.
template <class Set>
class gifts {
 public:
  using task = ready_task<Set>;

  CHANNELS_GPU_INLINE explicit gifts(lane_state<Set>& lane)
      : run_(lane.run),
        lane_(lane),
        end_(lane),
        ready_(lane.ready),
        box_(lane.run.mailboxes[lane.wave]),
        at_(lane.wave * 2654435769U),
        random_(at_) {}

  std::uint32_t sent = 0;
  std::uint32_t given = 0;

  /// Of which it has had so many.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t looks() const { return looks_; }

  /// Before a turn: asks the memory for what is looked at after it, which is far away.
  template <class Turns>
  CHANNELS_GPU_INLINE void begin_look(const Turns& own) {
    ++looks_;
    letter_ = 0;
    // Relaxed: who finds a letter acquires it then.
    if (wishes_ || looks_ % gift_tuning::looks_between_mailbox_reads == 0)
      letter_ = load<order::relaxed>(&box_.letter);
    hungry_ = 0;
    // Who has nothing to give stays away: all look at the same few words.
    if (own.may_give()) {
      const std::uint32_t words = (run_.waves + 31) / 32;
      at_ = (at_ + wave_width) % words;
      word_ = (at_ + lane_index()) % words;
      if (lane_index() < words) hungry_ = load<order::relaxed>(&run_.hungry[word_]);
    }
  }

  /// After it. False when the run is over.
  template <class Turns>
  CHANNELS_GPU_INLINE bool end_look(Turns& own) {
    if (end_.is_early(looks_)) return false;
    const std::uint32_t letter = of_lane(letter_, 0);
    if (letter == run_is_over) return false;
    if (letter != 0) {
      receive(letter);
      if constexpr (Set::summing) own.take_credit();
    }
    const std::uint32_t hungry = total_of_wave(count(hungry_));
    own.hurry(hungry >= gift_tuning::many_hungry);
    random_ = random_ * 1664525U + 1013904223U;
    if (own.wants()) {
      wish();
    } else if (hungry != 0 &&
               (random_ >> 16U) * min(run_.waves, gift_tuning::hungry_in_view) < (hungry << 17U)) {
      // As often as twice the part of those in view that is hungry: all that have plenty see the
      // same few.
      own.share();
      const std::uint32_t keeps = own.keeps();
      if (ready_.size() > keeps) give(ready_.size() - keeps);
    }
    return true;
  }

  /// Sends all wavefronts home.
  CHANNELS_GPU_INLINE void end_run() const { end_.tell(); }

 private:
  CHANNELS_GPU_INLINE std::uint32_t* inbox_of(std::uint32_t wave) const {
    return run_.inboxes + std::size_t{wave} * wave_width * task::words;
  }

  CHANNELS_GPU_INLINE void wish() {
    if (wishes_) return;
    wishes_ = true;
    fence_in_wave();
    if (lane_index() == 0) {
      // Release: the inbox has been read before anybody is asked to fill it.
      fetch_or<order::release>(&run_.hungry[lane_.wave / 32], 1U << lane_.wave % 32);
    }
  }

  CHANNELS_GPU_INLINE void receive(std::uint32_t letter) {
    // Acquire: what is in the inbox, and all that those tasks may read. Every lane for itself.
    (void)load<order::acquire>(&box_.letter);
    fence_in_wave();
    task t;
    const std::uint32_t* const from = inbox_of(lane_.wave) + lane_index();
    if (lane_index() < letter) {
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { word = from[w * wave_width]; });
    }
    // Relaxed: the release of the next wish comes after it. Unless the run has ended meanwhile:
    // that must not be lost.
    if (lane_index() == 0) {
      (void)compare_exchange<order::relaxed>(&box_.letter, letter, std::uint32_t{0});
    }
    wishes_ = false;
    if (ready_.provide(letter) < letter) {
      lane_.fail(failure::ready, t.what);
      return;
    }
    ready_.add(letter, t);
  }

  /// The oldest tasks, at most so many, to some of the hungry.
  CHANNELS_GPU_INLINE void give(std::uint32_t most) {
    const std::uint32_t size = min(wave_width, most);
    // Any of the hungry: others look at the same words.
    const lane_mask hungry = ballot(hungry_ != 0);
    const unsigned words = count(hungry);
    const unsigned turn = (rank_in(hungry) + (random_ >> 6U)) % words;
    std::uint32_t to = no_wave;
    const bool most_hungry = 2 * count(ballot(hungry_ == ~0U)) > words;
    // One taker, unless most are hungry.
    const unsigned at_once =
        most_hungry ? min(gift_tuning::most_receivers, max(1U, size / gift_tuning::least_tasks))
                    : 1U;
    if (hungry_ != 0 && turn < at_once) {
      const std::uint32_t bit = nth(hungry_, (random_ >> 12U) % count(hungry_));
      // Relaxed: an acquire makes the compute unit forget what it has read, and most that try are
      // too late.
      const std::uint32_t before =
          fetch_and<order_beside_fences>(&run_.hungry[word_], ~(1U << bit));
      if ((before >> bit & 1U) != 0) to = word_ * 32 + bit;
    }
    const lane_mask takers = ballot(to != no_wave);
    if (takers == 0) return;
    acquire_from_device();  // the inboxes' owners have emptied them
    const unsigned gift_count = count(takers);
    if constexpr (Set::summing) {
      // Relaxed: the letters release it, and this wavefront is one of those that work until then.
      if (lane_index() == 0) fetch_add<order::relaxed>(&run_.control->working, gift_count);
    }
    const std::uint32_t into = of_lane(to, nth(takers, lane_index() % gift_count));
    if (lane_index() < size) {
      task t;
      ready_.oldest(lane_index(), t);
      if constexpr (!Set::summing) lane_.share_frames_from(t.parent);
      std::uint32_t* const place = inbox_of(into) + lane_index() / gift_count;
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { place[w * wave_width] = word; });
    }
    ready_.drop_oldest(size);
    fence_in_wave();
    if (to != no_wave) {
      // Release: the inbox, and what the wavefront has written for these tasks. Unless the run has
      // ended: that must not be lost.
      const std::uint32_t its_size = (size - rank_in(takers) + gift_count - 1) / gift_count;
      (void)compare_exchange<order::release>(&run_.mailboxes[to].letter, std::uint32_t{0},
                                             its_size);
    }
    sent += gift_count;
    given += size;
  }

  const run_parameters<Set>& run_;
  lane_state<Set>& lane_;
  run_end<Set> end_;
  ready_stack<Set>& ready_;
  mailbox& box_;
  std::uint32_t at_;  ///< where to look for hungry wavefronts
  std::uint32_t word_ = 0;
  std::uint32_t hungry_ = 0;  ///< of `word_`, when it was looked at
  std::uint32_t letter_ = 0;
  std::uint32_t looks_ = 0;
  std::uint32_t random_;
  bool wishes_ = false;
};

}  // namespace channels::gpu::detail
