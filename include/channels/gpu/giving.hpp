#pragma once

#include "channels/gpu/step.hpp"

namespace channels::gpu::detail {

/// When so many lanes of a wavefront are idle, any lane gives, and not only those that have the
/// most.
inline constexpr unsigned many_lanes = wave_width / 4;

/// A wavefront looks at the host's memory, which is far away, every so many looks at the others.
inline constexpr std::uint32_t looks_at_host = 1024;

/// The number of the bit of `mask` that has `rank` bits below it.
CHANNELS_GPU_INLINE unsigned nth(lane_mask mask, unsigned rank) {
  unsigned at = 0;
  CHANNELS_GPU_UNROLL
  for (unsigned half = wave_width / 2; half != 0; half /= 2) {
    const unsigned below = count(static_cast<lane_mask>(mask >> at & ((lane_mask{1} << half) - 1)));
    if (rank >= below) {
      rank -= below;
      at += half;
    }
  }
  return at;
}

/// How a wavefront shares work, with all its lanes together: within itself first, then with others,
/// through their mailboxes. A gift is the oldest child that waits on a lane's stack, for it has the
/// largest subtree. Its place on the stack becomes a mark, and who meets the mark takes the result
/// from it, or takes the child back if nobody has begun it.
///
/// A lane that meets the mark of a child that runs elsewhere leaves its stack where it is and
/// begins a new one; who ends that child goes on with the stack. So no lane waits for another.
template <class Set>
class sharing {
 public:
  using state = lane_state<Set>;
  using gift_type = gift<Set>;

  explicit CHANNELS_GPU_INLINE sharing(state& s)
      : s_(s),
        wave_(s.number / wave_width),
        box_(s.run.mailboxes[wave_]),
        at_(s.number % ((s.run.waves + 31) / 32)) {}

  std::uint32_t offered = 0;
  std::uint32_t handed = 0;
  std::uint32_t left = 0;

  /// One look at what others have and want. Returns the lanes that have work then; false in `going`
  /// when the run is over.
  CHANNELS_GPU_INLINE lane_mask share(bool& going) {
    stepper<Set> own(s_);
    // Acquire: the gift behind the letter, for every lane. If one read it too early, next time.
    std::uint64_t letter = load<order::acquire>(&box_.letter);
    if (ballot(letter != of_lane(letter, 0)) != 0) letter = 0;
    if (++looks_ % looks_at_host == 0 && lane_index() == 0) look_at_host();
    converge();
    going = letter != run_is_over;
    if (!going) return 0;
    own.settle();
    if (!own.has_work() && s_.stack.size() != 0) meet_mark();
    converge();
    bool idle = s_.next_task == no_task && s_.stack.size() == 0;
    lane_mask idle_lanes = ballot(idle);
    // Whose stack has many children waiting has the largest to give. When many are hungry, all
    // give.
    const std::uint32_t most = most_of_wave(s_.waiting);
    const bool is_rich = s_.waiting != 0 && s_.waiting + 1 >= most;
    const bool gives = s_.waiting != 0 && (is_rich || count(idle_lanes) >= many_lanes);
    lane_mask givers = ballot(gives);
    if (idle_lanes != 0) {
      if (wished_ && letter != 0) open_letter(letter, idle, idle_lanes);
      idle_lanes = ballot(idle);
      if (idle_lanes != 0 && givers != 0) {
        hand_over(idle, idle_lanes, gives, givers);
        idle_lanes = ballot(idle);
      }
    }
    wish(idle_lanes);
    if (s_.waiting != 0 && idle_lanes == 0) offer(is_rich);
    converge();
    return ballot(own.has_work());
  }

  /// What comes above runs for another lane, or is the root.
  CHANNELS_GPU_INLINE static void push_borrowed(state& s, std::uint32_t index) {
    const std::uint32_t start = s.stack.size();
    s.stack[start] = index;
    s.stack[start + 1] = record_head(record_kind::borrowed, 0, 0, 0).word();
    s.stack.resize(start + state::borrowed_words);
  }

 private:
  /// The host may want the run to end.
  CHANNELS_GPU_INLINE void look_at_host() const {
    if (peek(&s_.run.host->stop) != 0) s_.fail(failure::stopped, 0);
  }

  CHANNELS_GPU_INLINE gift_type& gift_at(std::uint32_t index) const { return s_.run.gifts[index]; }

  /// The top of the stack is a child that was given away.
  CHANNELS_GPU_INLINE void meet_mark() {
    const record_head h = s_.top();
    const std::uint32_t start = s_.stack.size() - state::words_of(h);
    const std::uint32_t index = s_.stack[start];
    gift_type& g = gift_at(index);
    // Acquire: the result, and all that the child wrote.
    const std::uint32_t found = load<order::acquire>(&g.state);
    const std::uint32_t how = found & gift_type::how;
    if (how == gift_type::begun) {
      leave_stack(g, found);
      return;
    }
    if (how == gift_type::offered) {
      // Relaxed: what it holds this lane has written itself, or who left it this stack.
      if (!compare_exchange<order::relaxed>(&g.state, found, next_generation(found))) return;
      s_.next_task = h.task();
      Set::with(h.task(), [&]<class Task>(Task*) {
        s_.next_to = s_.destination_of(h, start, Set::template child_words<Task>);
        load_arguments<Task>(g);
      });
    } else if (how != gift_type::done) {
      s_.fail(failure::lost, h.task());  // a defect of ours: better no answer than a wrong one
      return;
    } else {
      Set::with(h.task(), [&]<class Task>(Task*) {
        using result = typename Task::result_type;
        if constexpr (!std::is_void_v<result>) {
          result value;
          memcpy(&value, g.result, sizeof value);
          s_.deliver(s_.destination_of(h, start, Set::template child_words<Task>), value);
        }
      });
      store<order::relaxed>(&g.state, next_generation(found));
    }
    return_gift(index);
    s_.stack.resize(start);
  }

  /// The stack waits for the gift on its top, in the memory that its far part is in anyway. If
  /// there is no memory for another stack, the lane waits.
  CHANNELS_GPU_INLINE void leave_stack(gift_type& g, std::uint32_t found) {
    if (!s_.stack.can_leave()) return;
    const std::uint32_t region = take_number<region_words>(s_.run.free_regions, wave_);
    if (region == no_number) return;
    s_.stack.put_far();
    g.region = s_.region;
    g.size = s_.stack.size();
    g.parent_level = s_.level;
    g.parent_waiting = s_.waiting;
    g.parent_frames = static_cast<std::uint32_t>(s_.frames - s_.frames_of(s_.region));
    // Release: the stack. If the child has ended meanwhile, its result is collected next time.
    if (compare_exchange<order::release>(&g.state, found,
                                         (found & ~gift_type::how) | gift_type::awaited)) {
      s_.move_to_region(region);
      ++left;
    } else {
      return_number(s_.run.free_regions, region);
    }
  }

  CHANNELS_GPU_INLINE static std::uint32_t next_generation(std::uint32_t state) {
    return (state & ~gift_type::how) + gift_type::how + 1;
  }

  template <class Task>
  CHANNELS_GPU_INLINE void load_arguments(const gift_type& g) {
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Set::template child_words<Task>; ++i) {
      s_.next_arguments[i] = g.arguments[i];
    }
  }

  CHANNELS_GPU_INLINE std::uint32_t take_gift() const {
    return take_number<gift_words>(s_.run.free_gifts, wave_);
  }
  CHANNELS_GPU_INLINE void return_gift(std::uint32_t index) const {
    return_number(s_.run.free_gifts, index);
  }

  /// Makes a gift of the oldest child. The lane has one.
  CHANNELS_GPU_INLINE void make_gift(std::uint32_t index, std::uint32_t how) {
    // From the top down, as far as the last child that waits.
    std::uint32_t end = s_.stack.size();
    std::uint32_t level = s_.level;
    std::uint32_t seen = 0;
    for (;;) {
      const record_head h(s_.stack.anywhere(end - 1));
      if (h.kind() == record_kind::child && ++seen == s_.waiting) break;
      if (h.kind() == record_kind::frame) --level;
      const std::uint32_t start = end - state::words_of(h);
      end = start;
    }
    const record_head h(s_.stack.anywhere(end - 1));
    const std::uint32_t start = end - state::words_of(h);
    gift_type& g = gift_at(index);
    g.task = h.task();
    g.level = level;
    Set::with(h.task(), [&]<class Task>(Task*) {
      for (std::uint32_t i = 0; i < Set::template child_words<Task>; ++i) {
        g.arguments[i] = s_.stack.anywhere(start + i);
      }
    });
    // Relaxed: what hands over the index publishes it.
    generation_ = load<order::relaxed>(&g.state) & ~gift_type::how;
    store<order::relaxed>(&g.state, generation_ | how);
    s_.stack.anywhere(start) = index;
    s_.stack.anywhere(end - 1) = (h.word() & ~3U) | static_cast<std::uint32_t>(record_kind::given);
    --s_.waiting;
  }

  /// Begins to run a gift above whatever the stack holds.
  CHANNELS_GPU_INLINE void borrow(std::uint32_t index) {
    const gift_type& g = gift_at(index);
    push_borrowed(s_, index);
    s_.level = g.level;
    s_.next_task = g.task;
    s_.next_to = {0, const_cast<std::uint32_t*>(g.result)};
    Set::with(g.task, [&]<class Task>(Task*) { load_arguments<Task>(g); });
  }

  /// Gives within the wavefront: the first givers to the first idle lanes.
  CHANNELS_GPU_INLINE void hand_over(bool& idle, lane_mask idle_lanes, bool gives,
                                     lane_mask givers) {
    const unsigned idle_count = count(idle_lanes);
    const unsigned giver_count = count(givers);
    const unsigned pairs = idle_count < giver_count ? idle_count : giver_count;
    std::uint32_t index = no_number;
    if (gives && rank_in(givers) < pairs) {
      index = take_gift();
      if (index != no_number) {
        make_gift(index, gift_type::begun);
        ++handed;
      }
    }
    const unsigned rank = rank_in(idle_lanes);
    // All lanes take part in the exchange; the memory that a wavefront writes its lanes may read
    // after it has converged.
    const std::uint32_t mine = of_lane(index, nth(givers, rank < pairs ? rank : 0));
    fence_in_wave();
    if (idle && rank < pairs && mine != no_number) {
      borrow(mine);
      idle = false;
    }
    converge();
  }

  /// Asks for a gift, if none is asked for. What was asked for may come when it is no longer
  /// needed: then it stays in the mailbox until it is, or its owner takes it back.
  CHANNELS_GPU_INLINE void wish(lane_mask idle_lanes) {
    if (wished_ || idle_lanes == 0) return;
    wished_ = true;
    if (lane_index() == 0) {
      // Release: the mailbox is empty before anybody is asked to fill it.
      fetch_or<order::release>(&s_.run.hungry[wave_ / 32].bits, 1U << wave_ % 32);
    }
  }

  /// Takes the gift that a letter announces, if its owner has not taken it back.
  CHANNELS_GPU_INLINE void open_letter(std::uint64_t letter, bool& idle, lane_mask idle_lanes) {
    wished_ = false;
    if (lane_index() == first(idle_lanes)) {
      const auto index = static_cast<std::uint32_t>(letter) - 1;
      const auto generation = static_cast<std::uint32_t>(letter >> 32U);
      // Relaxed: the release of the next wish comes after it. Unless the run has ended meanwhile:
      // that must not be lost.
      (void)compare_exchange<order::relaxed>(&box_.letter, letter, std::uint64_t{0});
      // Relaxed: the letter has published what the gift holds.
      if (compare_exchange<order::relaxed>(&gift_at(index).state, generation | gift_type::offered,
                                           generation | gift_type::begun)) {
        borrow(index);
        idle = false;
      }
    }
    converge();
  }

  /// Gives this lane's oldest child to a wavefront that wants one, if one is found: each lane looks
  /// at 32 of them, others each time.
  CHANNELS_GPU_INLINE void offer(bool is_rich) {
    at_ = (at_ + 1) % ((s_.run.waves + 31) / 32);
    std::uint32_t* const word = &s_.run.hungry[at_].bits;
    const std::uint32_t bits = load<order::relaxed>(word);
    if (bits == 0 || (!is_rich && count(bits) < 8)) return;
    // Not the first one: that is whom the others see, too.
    const std::uint32_t turned = rotate_right(bits, lane_index());
    const std::uint32_t bit = 1U << ((first(turned) + lane_index()) % 32);
    const std::uint32_t index = take_gift();
    if (index == no_number) return;
    // Acquire: the mailbox is empty.
    if ((fetch_and<order::acquire>(word, ~bit) & bit) == 0) {
      return_gift(index);
      return;
    }
    make_gift(index, gift_type::offered);
    const std::uint64_t letter = std::uint64_t{generation_} << 32U | (index + 1);
    // Release: the gift. It is not sent if the run has been ended.
    std::uint64_t* const to = &s_.run.mailboxes[at_ * 32 + first(bit)].letter;
    (void)compare_exchange<order::release>(to, std::uint64_t{0}, letter);
    ++offered;
  }

  state& s_;
  std::uint32_t wave_;
  mailbox& box_;
  std::uint32_t looks_ = 0;
  bool wished_ = false;           // has asked for a gift that has not come yet
  std::uint32_t at_;              // the hungry word that this lane looked at last
  std::uint32_t generation_ = 0;  // of the gift made last
};

}  // namespace channels::gpu::detail
