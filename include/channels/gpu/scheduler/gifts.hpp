#pragma once

#include <type_traits>  // conditional_t

#include "channels/gpu/scheduler/confined_run.hpp"
#include "channels/gpu/scheduler/nth.hpp"
#include "channels/gpu/scheduler/peer_gifts.hpp"
#include "channels/gpu/scheduler/run_end.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// In place of `peer_gifts` in a run on one GPU.
template <class Set>
struct no_peer_gifts {
  CHANNELS_GPU_INLINE explicit no_peer_gifts(lane_state<Set>& /*lane*/) {}
};

/// How wavefronts share ready tasks. A hungry wavefront sets its bit in `run_parameters::hungry`. A
/// wavefront with plenty clears the bit, puts its oldest tasks into the hungry one's inbox and
/// writes their number into its mailbox: this is a gift. Only the wavefront that cleared the bit
/// writes to the inbox, so an inbox has one writer at a time, and no wavefront waits for another.
/// `begin_look` before a turn and `end_look` after it are one *look*. `Several`: the run is on
/// several GPUs. All lanes of the wavefront call these functions together.
template <class Set, bool Several = false>
class gifts {
 public:
  using task = ready_task<Set>;

  CHANNELS_GPU_INLINE explicit gifts(lane_state<Set>& lane)
      : run_(lane.run),
        lane_(lane),
        end_(lane),
        peers_(lane),
        ready_(lane.ready),
        box_(lane.run.mailboxes[lane.wave]),
        at_(lane.wave * 2654435769U),
        random_(at_) {}

  std::uint32_t sent = 0;   ///< gifts
  std::uint32_t given = 0;  ///< tasks in them

  /// Number of looks so far.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t looks() const { return looks_; }

  /// Before a turn: starts the reads whose results `end_look` uses after it, since the memory is
  /// far away. Orders no memory.
  template <class Turns>
  CHANNELS_GPU_INLINE void begin_look(const Turns& own) {
    ++looks_;
    message_ = 0;
    // Relaxed: `receive` acquires what a message stands for.
    if (is_hungry_ || looks_ % gift_tuning::looks_between_mailbox_reads == 0)
      message_ = load<order::relaxed>(&box_.message);
    hungry_ = 0;
    // A wavefront with nothing to give does not read the words that all read.
    if (own.may_give()) {
      const std::uint32_t words = (run_.waves + 31) / 32;
      at_ = (at_ + wave_width) % words;
      word_ = (at_ + lane_index()) % words;
      if (lane_index() < words) hungry_ = load<order::relaxed>(&run_.hungry[word_]);
    }
    if constexpr (Several) peers_.begin_look(looks_, own.may_give());
  }

  /// After a turn: takes a gift that has come, asks for one, or gives. False if the run is over.
  template <class Turns>
  CHANNELS_GPU_INLINE bool end_look(Turns& own) {
    if (end_.was_stopped(looks_)) {
      if constexpr (Several) peers_.tell_all();
      return false;
    }
    const std::uint32_t message = of_lane(message_, 0);
    if (message == run_is_over) return false;
    if constexpr (Several) {
      if (peers_.is_over()) return false;
      if (peers_.take()) own.take_credit_of_peer();
    }
    // With the reserve, a gift waits: its tasks are not what the reserve is for.
    if (message != 0 && !lane_.alone_with_reserve && receive(message)) {
      if constexpr (Set::summing) own.take_credit();
    }
    const std::uint32_t hungry = total_of_wave(count(hungry_));
    own.hurry(hungry >= gift_tuning::many_hungry);
    random_ = random_ * 1664525U + 1013904223U;
    if (lane_.alone_with_reserve) return true;
    if (own.wants()) {
      if (!is_hungry_ && own.may_receive()) become_hungry();
      if constexpr (Several) peers_.ask();
      return true;
    }
    if constexpr (Several) {
      peers_.take_back();
      if (peers_.may_give(hungry)) {
        own.share();
        const std::uint32_t keeps = own.keeps();
        if (ready_.size() > keeps) peers_.give(ready_.size() - keeps, random_);
        return true;
      }
    }
    if (hungry != 0 &&
        (random_ >> 16U) * min(run_.waves, gift_tuning::hungry_in_view) < (hungry << 17U)) {
      // All wavefronts with plenty see the same hungry ones, so each gives at random, with twice
      // the share of hungry wavefronts among those in view as its probability.
      own.share();
      const std::uint32_t keeps = own.keeps();
      if (ready_.size() > keeps) give(ready_.size() - keeps);
    }
    return true;
  }

  /// Ends the run: tells all wavefronts that it is over.
  CHANNELS_GPU_INLINE void end_run() const {
    end_.tell_all();
    if constexpr (Several) peers_.tell_all();
  }

 private:
  CHANNELS_GPU_INLINE std::uint32_t* inbox_of(std::uint32_t wave) const {
    return run_.inboxes + std::size_t{wave} * wave_width * task::words;
  }

  CHANNELS_GPU_INLINE void become_hungry() {
    is_hungry_ = true;
    fence_in_wave();
    if (lane_index() == 0) {
      // Release: this wavefront has read its inbox before another one fills it.
      fetch_or<order::release>(&run_.hungry[lane_.wave / 32], 1U << lane_.wave % 32);
    }
  }

  /// False if there is no room for it now.
  CHANNELS_GPU_INLINE bool receive(std::uint32_t size) {
    if (ready_.provide(size) < size) return false;
    // Acquire: what is in the inbox, and all that its tasks may read. Each lane acquires for
    // itself.
    (void)load<order::acquire>(&box_.message);
    fence_in_wave();
    task t;
    const std::uint32_t* const from = inbox_of(lane_.wave) + lane_index();
    if (lane_index() < size) {
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { word = from[w * wave_width]; });
    }
    // Relaxed: the release in the next `become_hungry` comes after it. An exchange, since the end
    // of the run, which may have been written meanwhile, must not be lost.
    if (lane_index() == 0) {
      (void)compare_exchange<order::relaxed>(&box_.message, size, std::uint32_t{0});
    }
    is_hungry_ = false;
    ready_.add(size, t);
    return true;
  }

  /// Gives the oldest tasks, `most` at most, to some of the hungry wavefronts.
  CHANNELS_GPU_INLINE void give(std::uint32_t most) {
    const std::uint32_t size = min(wave_width, most);
    // Begins at a random lane, since others look at the same words.
    const lane_mask hungry = ballot(hungry_ != 0);
    const unsigned words = count(hungry);
    const unsigned turn = (rank_in(hungry) + (random_ >> 6U)) % words;
    std::uint32_t to = no_wave;
    const bool most_hungry = 2 * count(ballot(hungry_ == ~0U)) > words;
    // One receiver, unless most are hungry.
    const unsigned at_once =
        most_hungry ? min(gift_tuning::most_receivers, max(1U, size / gift_tuning::least_tasks))
                    : 1U;
    if (hungry_ != 0 && turn < at_once) {
      const std::uint32_t bit = nth(hungry_, (random_ >> 12U) % count(hungry_));
      // Relaxed: an acquire makes the compute unit drop its cache, and most attempts are too late.
      const std::uint32_t before =
          fetch_and<order_beside_fences>(&run_.hungry[word_], ~(1U << bit));
      if ((before >> bit & 1U) != 0) to = word_ * 32 + bit;
    }
    const lane_mask takers = ballot(to != no_wave);
    if (takers == 0) return;
    acquire_from_device();  // the inboxes' owners have emptied them
    const unsigned gift_count = count(takers);
    if constexpr (Set::summing) {
      // Relaxed: the messages release it, and this wavefront counts as working until then.
      if (lane_index() == 0) {
        if constexpr (Several) {
          fetch_add<order::relaxed>(&run_.control->working_and_held, std::uint64_t{gift_count});
        } else {
          fetch_add<order::relaxed>(&run_.control->working, gift_count);
        }
      }
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
      // Release, at the device's scope: the inbox, and what the wavefront has written for these
      // tasks. An exchange, since the end of the run must not be lost.
      const std::uint32_t its_size = (size - rank_in(takers) + gift_count - 1) / gift_count;
      (void)compare_exchange<order::release>(&run_.mailboxes[to].message, std::uint32_t{0},
                                             its_size);
    }
    sent += gift_count;
    given += size;
  }

  const run_parameters<Set>& run_;
  lane_state<Set>& lane_;
  run_end<Set> end_;
  std::conditional_t<Several, peer_gifts<Set>, no_peer_gifts<Set>> peers_;
  ready_stack<Set>& ready_;
  mailbox& box_;
  std::uint32_t at_;  ///< the first word of `hungry` that the next look reads
  std::uint32_t word_ = 0;
  std::uint32_t hungry_ = 0;  ///< the bits of word `word_` when it was read
  std::uint32_t message_ = 0;
  std::uint32_t looks_ = 0;
  std::uint32_t random_;
  bool is_hungry_ = false;
};

}  // namespace channels::gpu::detail
