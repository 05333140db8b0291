#pragma once

#include <algorithm>  // max

#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/scheduler/lane_state.hpp"
#include "channels/gpu/tuning.hpp"

/// Steps of tasks that cores of the host take for a GPU. A core runs what is serial some thirty
/// times as fast as a lane, and near the root of a recursion few lanes have work: a partition, or
/// a merge, of all elements would take longer than all the rest. So a lane that is to enter or to
/// resume such a task may ask the host instead (`task_traits::serial_parts`). The host runs the
/// task until it ends or waits, with the code of the same task, and tells what it has spawned. The
/// children are the GPU's again.
///
/// Who takes a step is decided by time: what the host and lanes took for such steps at the same
/// level of the recursion in this run, or at the next level. The host gets what it will have done
/// before a lane, with what it has already.
///
/// Where no child knows its parent's frame, a frame goes to the host with the step and comes back.
/// Otherwise a task goes to the host only if all frames above it are in the host's memory, where
/// lanes reach them, slowly: frames of the first levels are, and more while steps there are long.
namespace channels::gpu::detail {

/// Levels of a recursion with so many children each that have some hundred tasks together.
constexpr CHANNELS_DEVICE std::uint32_t first_host_levels(std::uint32_t children) {
  std::uint32_t levels = 1;
  for (std::uint32_t tasks = 1; tasks < 256 && levels < 8; ++levels)
    tasks *= children < 2 ? 2 : children;
  return levels;
}

/// Steps that the host may have at once; a multiple of 32.
inline constexpr std::uint32_t most_host_steps = 256;
/// Frames in the host's memory; a multiple of 32.
inline constexpr std::uint32_t most_host_frames = 8192;
/// The host takes steps of levels below this at most.
inline constexpr std::uint32_t host_step_levels = 4096;
/// Levels of which the times are kept together, from the top: each of the first 16, and behind them
/// two groups for each power of two.
inline constexpr std::uint32_t level_groups = 32;
constexpr CHANNELS_DEVICE std::uint32_t group_of_level(std::uint32_t level) {
  std::uint32_t group = level;
  for (std::uint32_t first = 16, groups = 16; first <= level; first *= 2, groups += 2)
    group = groups + (level < first + first / 2 ? 0 : 1);
  return group;
}
static_assert(group_of_level(15) == 15 && group_of_level(16) == 16 && group_of_level(24) == 17 &&
              group_of_level(host_step_levels - 1) == level_groups - 1);
/// What a run's wavefronts know of the host's steps, in the device's memory.
struct host_step_state {
  alignas(128) std::uint32_t out;  ///< steps that the host has, or that no wavefront has taken back
  alignas(128) std::uint32_t asked;  ///< tickets of requests
  alignas(128) std::uint32_t lock;   ///< not 0: a wavefront takes back what has ended
  std::uint32_t next_told;           ///< ticket of the next step to take back
  /// Frames of levels below may be in the host's memory.
  alignas(128) std::uint32_t levels;
  alignas(128) std::uint32_t free_slots[most_host_steps / 32];
  alignas(128) std::uint32_t free_frames[most_host_frames / 32];
  /// Nanoseconds that the host, and that a lane, took for a step: to enter a task, and to resume
  /// it; and those that the host worked, and did not wait for pages. 0: not known.
  alignas(128) std::uint32_t ns[3][1U << task_bits][2][level_groups];
};

/// Requests and answers, in pinned memory of the host. An entry is a slot's number below
/// `lap_of` of its ticket, so that one of an earlier lap is told apart.
struct host_step_rings {
  alignas(128) std::uint32_t asked[most_host_steps];
  alignas(128) std::uint32_t told[most_host_steps];
};
constexpr CHANNELS_DEVICE std::uint32_t lap_of(std::uint32_t ticket) {
  return (ticket / most_host_steps + 1) << 16U;
}

/// How a step has ended on the host.
enum class step_end : std::uint32_t {
  waits,
  finished,
  yields,     ///< a task without a bound has spawned as many as there is room for
  refuses,    ///< it wants room for more at once, and has not begun
  no_memory,  ///< for what it allocates
  denied      ///< it yields although no room was denied
};

/// A step, in a slot of the host's pinned memory.
template <class Set>
struct alignas(16) host_step {
  static constexpr std::uint32_t most_spawns = Set::any_unbounded
                                                   ? host_step_tuning::most_spawns
                                                   : std::max(std::uint32_t{1}, Set::most_spawns);
  struct child {
    std::uint32_t what;
    void* to;
    alignas(16) std::uint32_t arguments[Set::argument_words];
  };

  // What a lane asks.
  std::uint32_t what;  ///< the task, and its level
  frame_index place;   ///< its frame
  frame_index parent;
  std::uint32_t resumes;  ///< not 0: the task goes on at `point`; else it is entered
  void* to;               ///< its result, for the lane that takes the step back
  frame_header* frame;
  // Asked and told.
  std::uint32_t point;
  // What the host tells.
  step_end ended;
  std::uint32_t children;
  std::uint32_t ns;       ///< that it took
  std::uint32_t work_ns;  ///< of these, without what pages took that came
  alignas(16) std::uint32_t arguments[Set::argument_words];
  alignas(16) std::uint32_t result[Set::result_words];
  alignas(16) std::byte body[Set::frames_go_to_host ? Set::frame_size : 1];  ///< of the frame
  child spawned[most_spawns];
};

/// A wavefront's part in it. All lanes of the wavefront call these functions together, unless they
/// say otherwise.
template <class Set>
class host_steps {
 public:
  using step = host_step<Set>;

  CHANNELS_GPU_INLINE explicit host_steps(lane_state<Set>& lane)
      : lane_(lane), words_(lane.run.host_steps) {}

  /// Before a run: `items` work-items of a kernel call it, and this is number `item`.
  static CHANNELS_GPU_INLINE void begin_run(const run_parameters<Set>& run, std::uint32_t item,
                                            std::uint32_t items) {
    host_step_state* const state = run.host_steps.state;
    if (state == nullptr) return;
    if (item == 0) state->levels = first_host_levels(Set::most_spawns);
    if (!run.host_steps.forgets) return;
    constexpr std::uint32_t words = sizeof state->ns / sizeof(std::uint32_t);
    for (std::uint32_t i = item; i < words; i += items) (&state->ns[0][0][0][0])[i] = 0;
  }

  // One lane calls each of these:

  /// A frame in the host's memory for task `what` below the frame `parent`, or `no_frame`. `asks`:
  /// the host is to enter the task; else it may be to resume it.
  CHANNELS_GPU_INLINE frame_index frame_for(std::uint32_t what, frame_index parent, bool asks) {
    const std::uint32_t level = level_in(what);
    if (level >= host_step_levels || words_.state == nullptr) return no_frame;
    // Relaxed: that there are more levels is older than the tasks there.
    if (level >= load<order::relaxed>(&words_.state->levels)) return no_frame;
    if (parent != outermost_frame && !is_host_frame(parent)) return no_frame;
    if (!asks) {
      // A lane is slow with such a frame, so it should not have much to do.
      const std::uint32_t group = group_of_level(level);
      const std::uint32_t now = expected(on_host, what, false, group);
      const std::uint32_t later = expected(on_host, what, true, group);
      if (now > host_step_tuning::short_ns || (later != 0 && later < words_.least_ns))
        return no_frame;
    }
    const std::uint32_t bit = take_bit(words_.state->free_frames, most_host_frames / 32);
    return bit == no_bit ? no_frame : host_frame | bit * frame_units<Set>;
  }
  /// A frame in the host's memory is not needed any more.
  CHANNELS_GPU_INLINE void give_back(frame_index frame) {
    give_bit(words_.state->free_frames, (frame & ~host_frame) / frame_units<Set>);
  }

  /// Whether the host should take a step of `what`, a `Task`.
  template <class Task>
  [[nodiscard]] CHANNELS_GPU_INLINE bool wants(std::uint32_t what, bool resumes) const {
    if (!is_timed<Task>(what)) return false;
    const std::uint32_t group = group_of_level(level_in(what));
    const std::uint64_t lane = expected(on_lane, what, resumes, group);
    if (lane != 0 && lane < host_step_tuning::way_ns) return false;
    // Relaxed: guesses.
    const std::uint32_t out = load<order::relaxed>(&words_.state->out);
    if (out >= words_.most) return false;
    // What does little would move pages to the host that lanes then wait for, and so look slow.
    const std::uint32_t work = expected(host_work, what, resumes, group);
    if (work != 0 && work < words_.least_ns / 2) return false;
    const std::uint64_t host = expected(on_host, what, resumes, group);
    if (host == 0 && lane == 0) return out < words_.most / 4;
    if (host == 0) return lane >= std::uint64_t{words_.least_ns} * host_step_tuning::host_speed;
    if (lane == 0) return host >= words_.least_ns;
    return host + host * out / words_.threads + host_step_tuning::way_ns < lane;
  }

  /// Whether it is of interest how long a lane takes for a step of `what`, a `Task`.
  template <class Task>
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_timed(std::uint32_t what) const {
    if constexpr (!Set::template goes_to_host<Task>) return false;
    return level_in(what) < host_step_levels && words_.state != nullptr;
  }
  /// A lane took `ns` for a step.
  CHANNELS_GPU_INLINE void note_lane(std::uint32_t what, bool resumes, std::uint64_t ns) {
    note(on_lane, what, resumes, static_cast<std::uint32_t>(ns < ~0U ? ns : ~0U));
  }

  /// Asks the host to take steps of those lanes for which `asks` holds: to enter `t` with frame
  /// `place`, or to resume the frame at `place`. Between turns: from then on frames above are
  /// shared. A lane for which there is no slot gets its task back, to `ready`, or its frame to
  /// those to be resumed.
  CHANNELS_GPU_INLINE void ask(bool asks, bool resumes, ready_task<Set>& t, frame_index place) {
    if (ballot(asks) == 0) return;
    std::uint32_t slot = no_bit;
    if (asks) slot = take_bit(words_.state->free_slots, most_host_steps / 32);
    if (slot != no_bit) {
      step& s = slot_at(slot);
      frame_header& frame = lane_.frames[place];
      s.place = place;
      s.frame = &frame;
      s.resumes = resumes ? 1 : 0;
      if (resumes) {
        lane_.share_frames_from(place);
        if constexpr (Set::frames_go_to_host) {
          Set::with(task_in(frame.what), [&]<class Task>(Task*) {
            memcpy(s.body, body_of<typename Task::frame>(frame), sizeof(typename Task::frame));
          });
        }
        s.what = frame.what;
        s.parent = frame.parent;
        s.to = frame.to;
        s.point = frame.point;
      } else {
        lane_.share_frames_from(t.parent);
        s.what = t.what;
        s.parent = t.parent;
        s.to = t.to;
        CHANNELS_GPU_UNROLL
        for (std::uint32_t i = 0; i < Set::argument_words; ++i) s.arguments[i] = t.arguments[i];
      }
      // Relaxed: a guess for others.
      fetch_add<order::relaxed>(&words_.state->out, 1U);
    }
    fence_in_wave();
    release_to_system();
    if (slot != no_bit) {
      // Relaxed, behind the fence: whoever has this ticket writes the entry.
      const std::uint32_t ticket = fetch_add<order::relaxed>(&words_.state->asked, 1U);
      // Release, of the system's scope, by the fence: the slot, the frame and what the task reads.
      channels::detail::atomic_store<release_beside_fence, scope::system>(
          &words_.rings->asked[ticket % most_host_steps], lap_of(ticket) | slot);
    }
    const bool refused = asks && slot == no_bit;
    lane_.begin_turn();
    if (refused && resumes) lane_.to_resume = place;
    if (refused && !resumes) {
      free_frame(place);
      lane_.ready.push(t);
    }
    lane_.ready.finish_pushes();
  }

  /// Whether the host may have ended steps that this wavefront should take back. `busy`: it has
  /// other work.
  CHANNELS_GPU_INLINE bool has_news(bool busy) {
    if (words_.state == nullptr) return false;
    if (busy && ++looks_ % host_step_tuning::turns_between_looks != 0) return false;
    // Relaxed: `take_back` acquires.
    const std::uint32_t out = load<order::relaxed>(&words_.state->out);
    const std::uint32_t locked = load<order::relaxed>(&words_.state->lock);
    return of_lane(out != 0 && locked == 0 ? 1U : 0U, 0) != 0;
  }

  /// Takes back steps that the host has ended, `most` at most, one for each lane: their children
  /// are ready then, and what has ended is in the lane's state (joins.hpp).
  CHANNELS_GPU_INLINE void take_back(std::uint32_t most) {
    lane_.begin_turn();
    std::uint32_t next = 0;
    std::uint32_t got = 0;
    if (lane_index() == 0) {
      // Acquire: `next_told` of the last wavefront that was here.
      got = compare_exchange<order::acquire>(&words_.state->lock, std::uint32_t{0}, 1U) ? 1 : 0;
      if (got != 0) next = load<order::relaxed>(&words_.state->next_told);
    }
    if (of_lane(got, 0) == 0) return;
    const std::uint32_t ticket = of_lane(next, 0) + lane_index();
    // Relaxed: the fence below acquires.
    const std::uint32_t entry = channels::detail::atomic_load<acquire_beside_fence, scope::system>(
        &words_.rings->told[ticket % most_host_steps]);
    const bool there = lane_index() < most && (entry & ~0xffffU) == lap_of(ticket);
    const lane_mask all = ballot(there);
    // Those before the first that is not there.
    const std::uint32_t taken =
        all == ~lane_mask{0} ? wave_width : detail::first(static_cast<lane_mask>(~all));
    if (lane_index() == 0) {
      store<order::relaxed>(&words_.state->next_told, ticket + taken);
      // Release: whoever comes next sees it.
      store<order::release>(&words_.state->lock, 0U);
    }
    if (taken == 0) return;
    acquire_from_system();
    if (lane_index() < taken) finish(entry & 0xffffU);
    converge();
    lane_.ready.finish_pushes();
  }

 private:
  static constexpr std::uint32_t no_bit = ~std::uint32_t{0};
  [[nodiscard]] CHANNELS_GPU_INLINE step& slot_at(std::uint32_t slot) const {
    return reinterpret_cast<step*>(words_.slots)[slot];
  }
  enum who : std::uint32_t { on_host, on_lane, host_work };
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t& known_of(who whose, std::uint32_t what,
                                                            bool resumes,
                                                            std::uint32_t group) const {
    return words_.state->ns[whose][task_in(what)][resumes ? 1 : 0][group];
  }
  /// Nanoseconds that a step may take, or 0. The halves of a task are half as long.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t expected(who whose, std::uint32_t what,
                                                           bool resumes,
                                                           std::uint32_t group) const {
    // Relaxed: estimates.
    const std::uint32_t known = load<order::relaxed>(&known_of(whose, what, resumes, group));
    if (known != 0) return known;
    if (!resumes)
      return group == 0 ? 0 : load<order::relaxed>(&known_of(whose, what, false, group - 1)) / 2;
    const std::uint32_t below = group + 1 < level_groups
                                    ? load<order::relaxed>(&known_of(whose, what, true, group + 1))
                                    : 0;
    return below < ~0U / 2 ? 2 * below : below;
  }
  /// Steps of a level may be long and short, so what is known is a mean of the last.
  CHANNELS_GPU_INLINE void note(who whose, std::uint32_t what, bool resumes, std::uint32_t ns) {
    std::uint32_t& known = known_of(whose, what, resumes, group_of_level(level_in(what)));
    // Relaxed: an estimate.
    const std::uint32_t before = load<order::relaxed>(&known);
    // Most steps are short, and only that is of interest.
    if (before != 0 && before < host_step_tuning::way_ns && ns < host_step_tuning::way_ns) return;
    store<order::relaxed>(&known,
                          before == 0 ? max(ns, 1U) : before - before / 4 + max(ns / 4, 1U));
  }

  /// One lane calls it: takes one of the bits that are set, or returns `no_bit`.
  CHANNELS_GPU_INLINE std::uint32_t take_bit(std::uint32_t* words, std::uint32_t count) {
    std::uint32_t at = (lane_.wave * wave_width + lane_index()) % count;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t left = load<order::relaxed>(&words[at]);
      while (left != 0) {
        const std::uint32_t bit = detail::first(left);
        // Acquire: whoever gave it back has done with the memory.
        const std::uint32_t before = fetch_and<order::acquire>(&words[at], ~(1U << bit));
        if ((before >> bit & 1U) != 0) return at * 32 + bit;
        left = before & ~(1U << bit);
      }
      at = at + 1 == count ? 0 : at + 1;
    }
    return no_bit;
  }
  CHANNELS_GPU_INLINE void give_bit(std::uint32_t* words, std::uint32_t bit) {
    // Release: this lane has done with the memory.
    fetch_or<order::release>(&words[bit / 32], 1U << bit % 32);
  }

  /// One lane calls it.
  CHANNELS_GPU_INLINE void free_frame(frame_index frame) {
    if (is_host_frame(frame)) {
      give_back(frame);
    } else {
      lane_.free_frame = frame;
    }
  }

  /// One lane calls it: takes back the step in a slot.
  CHANNELS_GPU_INLINE void finish(std::uint32_t slot) {
    step& s = slot_at(slot);
    const std::uint32_t what = s.what;
    const bool resumes = s.resumes != 0;
    const std::uint32_t level = level_in(what);
    note(on_host, what, resumes, s.ns);
    note(host_work, what, resumes, s.work_ns);
    // Relaxed: the children, which are deeper, are ordered behind it.
    if (s.ns >= words_.least_ns && level + 3 > load<order::relaxed>(&words_.state->levels))
      store<order::relaxed>(&words_.state->levels, level + 3);
    if (resumes) {
      ++lane_.resumed;
    } else {
      ++lane_.tasks;
    }
    if (s.ended == step_end::denied) {
      lane_.fail(failure::room, what);
    } else if (s.ended == step_end::no_memory) {
      lane_.fail(failure::heap, what);
    } else if (s.ended == step_end::finished) {
      Set::with(task_in(what), [&]<class Task>(Task*) {
        using result = typename Task::result_type;
        if constexpr (!std::is_void_v<result>) memcpy(s.to, s.result, sizeof(result));
      });
      lane_.parent_joins = lane_.joins_of(s.parent);
      lane_.ended_below = s.parent;
      free_frame(s.place);
    } else if (s.ended == step_end::refuses) {
      --lane_.tasks;
      // It will not get such a task again. Relaxed: an estimate.
      store<order::relaxed>(&known_of(host_work, what, resumes, group_of_level(level)), 1U);
      ready_task<Set> t;
      t.what = what;
      t.parent = s.parent;
      t.to = s.to;
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < Set::argument_words; ++i) t.arguments[i] = s.arguments[i];
      lane_.ready.push(t);
      free_frame(s.place);
    } else {
      // No other lane knows the frame: its children have not begun. If it goes on with its spawns,
      // it counts as one of them.
      const bool yields = s.ended == step_end::yields;
      frame_header& h = lane_.frames[s.place];
      h.joins = (s.children + (yields ? 1 : 0)) | (resumes ? shared_frame : 0);
      h.what = what;
      h.parent = s.parent;
      h.point = s.point | (yields ? keeps_going : 0);
      h.to = s.to;
      if constexpr (Set::frames_go_to_host) {
        Set::with(task_in(what), [&]<class Task>(Task*) {
          memcpy(static_cast<void*>(body_of<typename Task::frame>(h)), s.body,
                 sizeof(typename Task::frame));
        });
      }
      for (std::uint32_t i = 0; i < s.children; ++i) {
        const typename step::child& one = s.spawned[i];
        ready_task<Set> t;
        t.what = one.what;
        t.parent = s.place;
        t.to = one.to;
        CHANNELS_GPU_UNROLL
        for (std::uint32_t w = 0; w < Set::argument_words; ++w) t.arguments[w] = one.arguments[w];
        lane_.ready.push(t);
      }
      if (yields) lane_.to_resume = s.place;
    }
    give_bit(words_.state->free_slots, slot);
    fetch_add<order::relaxed>(&words_.state->out, ~std::uint32_t{0});
  }

  lane_state<Set>& lane_;
  const host_step_words& words_;
  std::uint32_t looks_ = 0;
};

}  // namespace channels::gpu::detail
