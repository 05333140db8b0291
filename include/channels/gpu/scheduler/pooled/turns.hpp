#pragma once

#include <algorithm>  // max

#include "channels/gpu/port/wave_leaf.hpp"
#include "channels/gpu/scheduler/host_steps.hpp"
#include "channels/gpu/scheduler/joins.hpp"
#include "channels/gpu/scheduler/pooled/lane.hpp"
#include "channels/gpu/scheduler/reserve.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// A wavefront at work on stacks of the pooled kind, for tasks whose frames have to be in memory
/// that all lanes see: in every turn each lane enters a ready task or resumes a frame. All lanes of
/// the wavefront call these functions together, unless they say otherwise.
template <class Set>
class pooled_turns {
 public:
  /// Words of the work-group's memory: what group leaves use, and the group leaf that is next.
  static constexpr std::uint32_t leaf_words =
      Set::any_group_leaves ? Set::leaf_words + (ready_task<Set>::words + 3) / 4 * 4 : 0;

  /// `leaf_memory`: `leaf_words` words of the work-group's memory, aligned to 16 bytes.
  CHANNELS_GPU_INLINE pooled_turns(lane_state<Set>& lane, joins<Set>& joined,
                                   std::byte* leaf_memory)
      : lane_(lane),
        ready_(lane.ready),
        frames_(lane.frames),
        joins_(joined),
        reserve_(lane, joined),
        host_(lane),
        leaf_memory_(leaf_memory),
        leaf_(reinterpret_cast<ready_task<Set>*>(leaf_memory +
                                                 Set::leaf_words * sizeof(std::uint32_t))) {}

  std::uint32_t taken = 0;  ///< turns
  std::uint32_t busy = 0;   ///< turns in which this lane had work

  [[nodiscard]] CHANNELS_GPU_INLINE bool has_work() const {
    return ready_.size() != 0 || joins_.resumable() != 0 || joins_.ended() != 0 || has_leaf_ ||
           lane_.alone_with_reserve;
  }

  /// Takes a turn. True if the root has ended.
  CHANNELS_GPU_INLINE bool take() {
    std::uint32_t to_resume = 0;
    std::uint32_t to_enter = 0;
    choose(to_resume, to_enter);
    ++taken;
    if constexpr (Set::any_group_leaves) {
      // Frames come first: hungry wavefronts may wait for what they spawn.
      if (has_leaf_ && to_resume == 0) {
        if (looks_before_leaf_ == 0) return take_leaf();
        --looks_before_leaf_;
        return false;
      }
    }
    const unsigned i = lane_index();
    lane_.begin_turn();
    if constexpr (Set::any_single_lane_leaves) {
      if (!found_leaves_) lanes_run_leaves_ = lanes_are_faster(to_enter, false);
    }
    ready_task<Set> t;
    asks_for_ = no_frame;
    const frame_index frame = joins_.take(i < to_resume, to_resume);
    const bool enters = i - to_resume < to_enter;
    if (i < to_resume || enters) ++busy;
    if (to_enter != 0) {
      ready_.pop(to_enter, i - to_resume, t);
      frame_index place = no_frame;
      bool has_place = enters;
      if (!lane_.alone_with_reserve) {
        place = frames_.take(enters);
      } else if (enters) {
        place = reserve_.take_frame(t.what);
        has_place = place != no_frame;
      }
      const std::uint32_t start = lanes_run_leaves_ ? clock_cycles() : 0;
      ran_leaf_ = false;
      bool is_leaf = false;
      if (has_place) is_leaf = enter(t, place);
      converge();
      if (lanes_run_leaves_ && ballot(ran_leaf_) != 0)
        note_time(&leaf_times::lanes, clock_cycles() - start);
      if constexpr (Set::any_group_leaves) keep_a_leaf(t, is_leaf);
    }
    if (to_resume != 0) {
      if (i < to_resume) resume(frame);
      converge();
    }
    if constexpr (Set::any_unbounded || Set::any_allocates) note_refusals(i < to_resume || enters);
    ready_.finish_pushes();
    if (lane_.alone_with_reserve) reserve_.finish_turn();
    if constexpr (Set::any_host_steps) free_host_frame();
    if (lane_.alone_with_reserve) return joins_.join(false);
    const bool over = joins_.join(ready_.size() + joins_.resumable() >= wave_width);
    if constexpr (Set::any_host_steps) ask_host(t);
    return over;
  }

  /// Takes back steps that the host has ended. True if the root has ended.
  CHANNELS_GPU_INLINE bool take_back_from_host() {
    if (lane_.alone_with_reserve || !host_.has_news(has_work())) return false;
    constexpr std::uint32_t room_for_step =
        std::max(room_for_each, host_step<Set>::most_spawns + 1);
    host_.take_back(min(wave_width, ready_.provide(room_for_all) / room_for_step));
    return joins_.join(false);
  }

  /// Ready tasks that the wavefront keeps for itself.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t keeps() const {
    if constexpr (Set::shares_tasks) return has_leaf_ ? 0 : 1;
    return is_blocked_ ? 0 : wave_width;
  }
  /// Whether the wavefront is hungry.
  [[nodiscard]] CHANNELS_GPU_INLINE bool wants() const {
    return ready_.size() == 0 && !has_leaf_ && !lane_.alone_with_reserve;
  }
  /// Whether it may have tasks to give.
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_give() const {
    return ready_.size() > keeps() && !lane_.alone_with_reserve;
  }
  /// Whether it may ask for tasks: there may be a frame for them. The window has room for them.
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_receive() {
    return has_plenty(lane_.run) || frames_.provide() || frames_.available() != 0;
  }
  CHANNELS_GPU_INLINE void hurry(bool /*others_are_hungry*/) const {}
  /// Others are hungry: all ready tasks are on the wavefront's stack already.
  CHANNELS_GPU_INLINE void share() const {}

 private:
  static constexpr std::uint32_t no_task = ~std::uint32_t{0};
  static constexpr std::uint32_t room_for_each = Set::most_spawns + 1;
  static constexpr std::uint32_t room_for_all =
      wave_width * room_for_each +
      (Set::any_unbounded ? ready_stack<Set>::page_tasks : std::uint32_t{0});

  /// Chooses what the lanes do: all resume frames, if there are enough, because that frees frames;
  /// else all enter tasks, if there are enough; else both.
  CHANNELS_GPU_INLINE void choose(std::uint32_t& to_resume, std::uint32_t& to_enter) {
    is_blocked_ = false;
    if (!lane_.alone_with_reserve) choose_together(to_resume, to_enter);
    if (lane_.alone_with_reserve) {
      reserve_.choose(to_resume, to_enter, room_for_each, wanted_, has_leaf_);
      lane_.promised = room_for_each;
      lane_.alone = true;
      lane_.pressed = true;
      lanes_run_leaves_ = false;
    }
  }

  CHANNELS_GPU_INLINE void choose_together(std::uint32_t& to_resume, std::uint32_t& to_enter) {
    const std::uint32_t room = ready_.provide(room_for_all + wanted_);
    const bool has_frames = frames_.provide();
    const std::uint32_t lanes = min(refusals_ == 0 ? wave_width : 1U, room / room_for_each);
    std::uint32_t enterable =
        min(ready_.size(), has_frames ? lanes : min(lanes, frames_.available()));
    // A group leaf takes the whole wavefront. What else is on top of the stack is probably more of
    // them, and stays there.
    if (found_leaves_) {
      lanes_run_leaves_ = !has_leaf_ && lanes_are_faster(enterable, true);
      if (!lanes_run_leaves_) enterable = has_leaf_ ? 0 : min(enterable, 1U);
    }
    const std::uint32_t resumable = min(joins_.resumable(), lanes);
    // A frame that goes on with its spawns may have found no room again: then tasks come first.
    const bool others_first =
        after_frames_ && enterable != 0 &&
        joins_.resumable() <= (group_memory_tuning::resumable_rows - 2) * wave_width;
    if (resumable == lanes && !others_first) {
      to_resume = resumable;
    } else if (enterable == lanes || others_first) {
      to_enter = enterable;
    } else {
      to_resume = resumable;
      to_enter = min(enterable, lanes - resumable);
    }
    after_frames_ = to_enter == 0;
    lane_.promised = (to_resume + to_enter) * room_for_each;
    lane_.alone = to_resume + to_enter == 1;
    lane_.pressed = !has_frames || room < room_for_all + wanted_;
    const bool can_do_nothing = to_resume + to_enter == 0 || refusals_ > turn_tuning::most_refusals;
    if (can_do_nothing && joins_.ended() == 0 && !has_leaf_) wait_for_memory(to_resume, to_enter);
  }

  /// Memory is out. The wavefront goes on with the reserve if it gets it. Otherwise another
  /// wavefront has that and frees memory, or takes tasks that this one gives away.
  CHANNELS_GPU_INLINE void wait_for_memory(std::uint32_t& to_resume, std::uint32_t& to_enter) {
    const bool took = reserve_.take();
    if (took) {
      to_resume = to_enter = 0;
      refusals_ = 0;
      wanted_ = 0;
    }
    // Frames that wait for children are not to be resumed any more.
    to_resume = min(to_resume, joins_.resumable());
    is_blocked_ = !took;
    if (is_blocked_) nap();
  }

  /// After a turn: if all tasks found too little room, as tasks without a bound may, or no memory
  /// to allocate, one goes on alone in the next turn, with as much room as it wants if there is as
  /// much. `at_work`: this lane had work.
  CHANNELS_GPU_INLINE void note_refusals(bool at_work) {
    wanted_ = most_of_wave(lane_.wanted);
    const lane_mask refused = ballot(lane_.wanted != 0 || lane_.lacks);
    const lane_mask all = ballot(at_work);
    refusals_ = refused != 0 && refused == all ? refusals_ + 1 : 0;
  }

  /// One lane calls it: enters a task, whose frame goes to `place`. True if the task is a group
  /// leaf, which the wavefront has to run; then nothing has happened.
  CHANNELS_GPU_INLINE bool enter(ready_task<Set>& t, frame_index place) {
    if (lane_.denied()) {
      put_back(t, place);
      return false;
    }
    bool is_leaf = false;
    bool has_begun = true;
    frame_index used = place;
    Set::with(task_in(t.what), [&]<class Task>(Task*) {
      typename Task::arguments arguments;
      memcpy(&arguments, t.arguments, sizeof arguments);
      if constexpr (has_group_leaf<Task>) {
        is_leaf = Task::is_leaf(arguments);
        if constexpr (has_single_lane_leaves<Task>) {
          ran_leaf_ = is_leaf && lanes_run_leaves_ && task_in(t.what) == leaf_task_;
          is_leaf = is_leaf && !ran_leaf_;
        }
      }
      if (is_leaf) {
        lane_.free_frame = place;
        return;
      }
      if constexpr (Set::any_host_steps) {
        if (goes_to_host<Task>(t, used)) return;
      }
      step_clock<Task> clock(host_, t.what, false);
      has_begun = pooled_lane<Set, Task>(lane_, t, used).enter(arguments);
      if (!has_begun) clock.forget();
    });
    if (!has_begun) put_back(t, used);
    if constexpr (Set::any_host_steps) {
      // One in the host's memory was used, or is on its way there.
      if (used != place) {
        if (lane_.free_frame == used) host_.give_back(used);
        lane_.free_frame = place;
      }
    }
    return is_leaf;
  }

  /// One lane calls it: whether the host is to enter `t`. `used`, a frame of the pool, may become
  /// one in the host's memory.
  template <class Task>
  CHANNELS_GPU_INLINE bool goes_to_host(const ready_task<Set>& t, frame_index& used) {
    if (lane_.alone_with_reserve) return false;
    const bool asks = host_.template wants<Task>(t.what, false);
    if constexpr (!Set::frames_go_to_host) {
      const frame_index frame = host_.frame_for(t.what, t.parent, asks);
      if (frame == no_frame) return false;
      if (asks) lane_.free_frame = used;
      used = frame;
    }
    if (!asks) return false;
    asks_for_ = used;
    asks_to_resume_ = false;
    return true;
  }

  /// After a turn: the host's frames are not given to other tasks of the wavefront.
  CHANNELS_GPU_INLINE void free_host_frame() {
    if (!is_host_frame(lane_.free_frame)) return;
    host_.give_back(lane_.free_frame);
    lane_.free_frame = no_frame;
  }

  /// After a turn: asks the host to take steps of those lanes that want it.
  CHANNELS_GPU_INLINE void ask_host(ready_task<Set>& t) {
    if (ballot(asks_for_ != no_frame) == 0) return;
    host_.ask(asks_for_ != no_frame, asks_to_resume_, t, asks_for_);
    (void)joins_.join(false);  // the root waits for these steps
  }

  /// Notes how long a lane takes for a step of a `Task` that the host might take.
  template <class Task>
  class step_clock {
   public:
    CHANNELS_GPU_INLINE step_clock(host_steps<Set>& host, std::uint32_t what, bool resumes)
        : host_(host), what_(what), resumes_(resumes) {
      if (host.template is_timed<Task>(what)) start_ = clock_ns();
    }
    /// The step has not begun.
    CHANNELS_GPU_INLINE void forget() { start_ = 0; }
    step_clock(const step_clock&) = delete;
    step_clock& operator=(const step_clock&) = delete;
    CHANNELS_GPU_INLINE ~step_clock() {
      if constexpr (Set::template goes_to_host<Task>) {
        if (start_ != 0) host_.note_lane(what_, resumes_, clock_ns() - start_);
      }
    }

   private:
    host_steps<Set>& host_;
    std::uint32_t what_;
    bool resumes_;
    std::uint64_t start_ = 0;
  };

  CHANNELS_GPU_INLINE void put_back(ready_task<Set>& t, frame_index place) {
    lane_.free_frame = place;
    ready_.push(t);
  }

  /// Keeps one of the group leaves that were found for the next turn. The others go back to the
  /// stack, and can be given away before that leaf runs.
  CHANNELS_GPU_INLINE void keep_a_leaf(ready_task<Set>& t, bool is_leaf) {
    const lane_mask leaves = ballot(is_leaf);
    found_leaves_ = leaves != 0;
    if (leaves == 0) return;
    const unsigned from = first(leaves);
    has_leaf_ = true;
    if (is_leaf && lane_index() != from) ready_.push(t);
    if (lane_index() == from) *leaf_ = t;
    if constexpr (Set::any_single_lane_leaves) leaf_task_ = of_lane(task_in(t.what), from);
    fence_in_wave();
  }

  /// Whether lanes had better run the next leaves each for itself, if `tasks` of them enter tasks:
  /// by what leaves of this task took in this run. `may_try`: these tasks are probably leaves, and
  /// now and then a wavefront tries it.
  CHANNELS_GPU_INLINE bool lanes_are_faster(std::uint32_t tasks, bool may_try) {
    if constexpr (!Set::any_single_lane_leaves) return false;
    if (leaf_task_ == no_task || tasks < 2 || lane_.alone_with_reserve) return false;
    // Relaxed: estimates.
    const leaf_times& known = lane_.run.control->leaves[leaf_task_];
    const std::uint32_t together = of_lane(load<order::relaxed>(&known.together), 0);
    const std::uint32_t each = of_lane(load<order::relaxed>(&known.lanes), 0);
    if (together == 0) return false;
    if (each != 0 && std::uint64_t{together} * tasks > each) return true;
    return may_try && tries_lanes();
  }
  /// Whether this wavefront lets lanes run leaves to see how long that takes. It may take some
  /// hundred times as long as one leaf does, so the wavefront has run as many before.
  CHANNELS_GPU_INLINE bool tries_lanes() {
    const std::uint32_t tries =
        of_lane(load<order::relaxed>(&lane_.run.control->leaves[leaf_task_].tries), 0);
    if (tries >= turn_tuning::most_leaf_tries || leaves_run_ < turn_tuning::leaves_before_try
                                                                   << 2U * tries)
      return false;
    std::uint32_t mine = 0;
    // Relaxed: it only counts.
    if (lane_index() == 0)
      mine = compare_exchange<order::relaxed>(&lane_.run.control->leaves[leaf_task_].tries, tries,
                                              tries + 1)
                 ? 1
                 : 0;
    return of_lane(mine, 0) != 0;
  }
  /// Leaves of the task that was last found took so many cycles.
  CHANNELS_GPU_INLINE void note_time(std::uint32_t leaf_times::* which, std::uint32_t cycles) {
    if (lane_index() != 0) return;
    std::uint32_t& known = lane_.run.control->leaves[leaf_task_].*which;
    // Relaxed: an estimate.
    const std::uint32_t before = load<order::relaxed>(&known);
    store<order::relaxed>(&known, max(before == 0 ? cycles : before - before / 8 + cycles / 8, 1U));
  }

  /// Runs the group leaf that was kept, with all lanes. True if the root has ended.
  CHANNELS_GPU_INLINE bool take_leaf() {
    ++busy;
    has_leaf_ = false;
    lane_.begin_turn();
    const std::uint32_t start = Set::any_single_lane_leaves ? clock_cycles() : 0;
    leaf_division division{0, 1, 0};
    std::uint32_t word = 0;  // of the arguments, that says how the leaf is divided
    Set::with(task_in(leaf_->what), [&]<class Task>(Task*) {
      if constexpr (divides_leaf<Task>) {
        word = words(sizeof(typename Task::arguments));
        division = {leaf_->arguments[word] & 0xffffU, leaf_->arguments[word] >> 16U, 0};
      }
      if constexpr (has_group_leaf<Task>)
        run_group_leaf<Task>(leaf_->arguments, leaf_->to, leaf_memory_, division);
    });
    if constexpr (Set::any_divides_leaf) {
      if (division.wanted != 0) {
        divide(division.wanted, word);
        return false;
      }
    }
    if constexpr (Set::any_single_lane_leaves) {
      leaf_task_ = task_in(leaf_->what);
      note_time(&leaf_times::together, clock_cycles() - start);
      ++leaves_run_;
    }
    if (lane_index() == 0) {
      if (division.part == 0) ++lane_.tasks;
      lane_.parent_joins = lane_.joins_of(leaf_->parent);
      lane_.ended_below = leaf_->parent;
    }
    // The parent is told at once, because leaves take long.
    return joins_.join(false);
  }

  /// Divides the leaf that was kept into parts for this wavefront and those that are hungry. `word`
  /// of the arguments says then which part of how many it is.
  CHANNELS_GPU_INLINE void divide(std::uint32_t wanted, std::uint32_t word) {
    const std::uint32_t most = lane_.alone_with_reserve ? 1 : ready_.provide(wanted) + 1;
    // Relaxed: a guess, as others take and give meanwhile.
    const std::uint32_t head = load<order::relaxed>(&lane_.run.control->shared_head);
    const std::uint32_t tail = load<order::relaxed>(&lane_.run.control->shared_tail);
    const auto hungry = static_cast<std::int32_t>(of_lane(head - tail, 0));
    const std::uint32_t parts =
        min(min(wanted, most), hungry > 0 ? static_cast<std::uint32_t>(hungry) + 1 : 1U);
    // Relaxed: the leaf itself counts, so its parent cannot be told of its last child meanwhile.
    if (lane_index() == 0 && parts > 1)
      fetch_add<order::relaxed>(&lane_.frames[leaf_->parent].joins, parts - 1);
    for (std::uint32_t part = 1 + lane_index(); part < parts; part += wave_width) {
      ready_task<Set> t = *leaf_;
      t.arguments[word] = parts << 16U | part;
      ready_.push(t);
    }
    converge();
    if (lane_index() == 0) leaf_->arguments[word] = parts << 16U;
    ready_.finish_pushes();
    has_leaf_ = true;
    // At each look it gives as many as it has lanes.
    looks_before_leaf_ = (parts - 1 + wave_width - 1) / wave_width;
  }

  CHANNELS_GPU_INLINE void resume(frame_index frame) {
    const std::uint32_t what = frames_[frame].what;
    Set::with(task_in(what), [&]<class Task>(Task*) {
      if constexpr (Set::template goes_to_host<Task>) {
        const bool waited = (frames_[frame].point & keeps_going) == 0;
        const bool reached = Set::frames_go_to_host || is_host_frame(frame);
        if (waited && reached && !lane_.alone_with_reserve &&
            host_.template wants<Task>(what, true)) {
          asks_for_ = frame;
          asks_to_resume_ = true;
          return;
        }
      }
      const step_clock<Task> clock(host_, what, true);
      pooled_lane<Set, Task>(lane_, frame).resume();
    });
  }

  lane_state<Set>& lane_;
  ready_stack<Set>& ready_;
  frame_store<Set>& frames_;
  joins<Set>& joins_;
  reserve<Set> reserve_;
  host_steps<Set> host_;
  frame_index asks_for_ = no_frame;  ///< the frame of a step that this lane gives to the host
  bool asks_to_resume_ = false;
  std::byte* leaf_memory_;
  bool is_blocked_ = false;    ///< memory is out, and others have the reserve
  bool after_frames_ = false;  ///< the last turn only resumed frames
  bool found_leaves_ = false;  ///< some of the tasks last entered were group leaves
  bool has_leaf_ = false;
  bool lanes_run_leaves_ = false;        ///< in this turn, each lane for itself
  bool ran_leaf_ = false;                ///< this lane has
  std::uint32_t leaf_task_ = no_task;    ///< that a group leaf was last found of
  std::uint32_t leaves_run_ = 0;         ///< by the lanes together
  std::uint32_t looks_before_leaf_ = 0;  ///< that give parts of it to others
  std::uint32_t refusals_ = 0;           ///< turns in a row in which no lane found room
  std::uint32_t wanted_ = 0;             ///< the most room that a lane wanted in the last of them
  ready_task<Set>* leaf_;                ///< in the memory of the work-group
};

}  // namespace channels::gpu::detail
