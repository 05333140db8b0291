#pragma once

#include "channels/gpu/scheduler/lane_state.hpp"
#include "channels/gpu/scheduler/leaf_lane.hpp"

namespace channels::gpu::detail {

/// The lane of a task with pooled stacks. A frame that children do not know is in registers while
/// the task runs, and in its place in the device's memory while it waits.
template <class Set, task Task>
class pooled_lane : public channels::detail::lane_base_with_point<pooled_lane<Set, Task>, Task> {
  using base = channels::detail::lane_base_with_point<pooled_lane<Set, Task>, Task>;
  friend channels::detail::lane_base<pooled_lane<Set, Task>, Task>;

 public:
  using state = lane_state<Set>;
  using typename base::frame_type;
  /// The wavefront takes group leaves.
  static constexpr bool takes_leaves = true;
  /// Or a lane runs one in `enter` (`has_single_lane_leaves`).
  static constexpr bool runs_leaves = true;
  using typename base::result_type;

  /// For `enter`: `place` is free.
  CHANNELS_GPU_INLINE pooled_lane(state& s, const ready_task<Set>& t, frame_index place)
      : s_(s), to_(t.to), parent_(t.parent), what_(t.what), place_(place) {}
  /// For `resume`.
  CHANNELS_GPU_INLINE pooled_lane(state& s, frame_index place)
      : s_(s), place_(place), is_fresh_(false) {
    const frame_header& h = header();
    what_ = h.what;
    parent_ = h.parent;
    point_ = h.point & ~keeps_going;
    keeps_going_ = (h.point & keeps_going) != 0;
    to_ = h.to;
    if constexpr (is_private) frame_ = *body();  // not memcpy, which takes it byte by byte
  }
  pooled_lane(const pooled_lane&) = delete;
  pooled_lane& operator=(const pooled_lane&) = delete;

  /// Null only for a task without a bound. There is room for the others before they are entered: a
  /// pointer that may be null would keep the frame out of registers.
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* open(Counts... counts) {
    if constexpr (Task::spawn_bound == unbounded) {
      if (!reserve<Children...>(counts...)) return nullptr;
    }
    if constexpr (task_traits<Task>::allocates) {
      blocks() = nullptr;
      has_blocks_ = true;
    }
    return frame();
  }

  [[nodiscard]] CHANNELS_GPU_INLINE void* allocate(std::size_t bytes) {
    static_assert(task_traits<Task>::allocates, "a task that allocates says so: allocates = true");
    denied_ = s_.denied();
    if (denied_) return nullptr;
    heap_block* const block =
        s_.alone_with_reserve ? s_.heap.take_from_reserve(bytes) : s_.heap.take(bytes);
    if (block == nullptr) {
      if (s_.alone_with_reserve) s_.fail(failure::heap, what_, units_for(bytes));
      s_.lacks = true;
      s_.pressed = true;
      denied_ = true;
      return nullptr;
    }
    block->next = blocks();
    blocks() = block;
    return block + 1;
  }

  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(Counts... counts) {
    denied_ = s_.denied();
    // There is as much room as `spawn_bound` says.
    if constexpr (Task::spawn_bound == unbounded) {
      reserved_ = (static_cast<std::uint32_t>(counts) + ... + 0U);
      // Other lanes may find the same room at the same time. Each lane was promised room that such
      // a task does not use, and that is enough unless the task wants more.
      const std::uint32_t wanted =
          s_.alone || reserved_ <= Set::most_spawns + 1 ? reserved_ : reserved_ * wave_width;
      denied_ = denied_ || !find_room(wanted);
      if (denied_) reserved_ = 0;
    }
    return !denied_;
  }

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const { return level_in(what_); }

  /// Runs the task from its entry until it ends or waits. False if it has to be entered again; then
  /// nothing has happened.
  CHANNELS_GPU_INLINE bool enter(const typename Task::arguments& arguments) {
    s_.parent_joins = s_.joins_of(parent_);
    const outcome o = Task::enter(*this, arguments);
    if (Task::spawn_bound == unbounded && o == outcome::retry) return false;
    ++s_.tasks;
    go_on(o);
    return true;
  }
  /// Runs the task from where it waited until it ends or waits.
  CHANNELS_GPU_INLINE void resume() {
    s_.parent_joins = s_.joins_of(parent_);
    go_on(go_on_at_point());
  }

 private:
  /// A task that spawns while its children run must not overwrite what they wrote to its frame.
  static constexpr bool is_private =
      !task_traits<Task>::shares_frame && Task::spawn_bound != unbounded;
  struct nothing {};

  [[nodiscard]] CHANNELS_GPU_INLINE frame_header& header() const { return s_.frames[place_]; }
  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* body() const {
    return body_of<frame_type>(header());
  }
  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* frame() {
    if constexpr (is_private) {
      return &frame_;
    } else {
      return body();
    }
  }

  [[nodiscard]] CHANNELS_GPU_INLINE heap_block*& blocks() const {
    return *reinterpret_cast<heap_block**>(reinterpret_cast<std::byte*>(&header()) +
                                           blocks_offset<frame_type>);
  }
  CHANNELS_GPU_INLINE void give_blocks_back() {
    if (!has_blocks_ && is_fresh_) return;
    for (heap_block* block = blocks(); block != nullptr;) {
      heap_block* const next = block->next;
      s_.heap.give_back(block);
      block = next;
    }
  }

  [[nodiscard]] CHANNELS_GPU_INLINE outcome go_on_at_point() {
    ++s_.resumed;
    return Task::resume(*this, *frame(), point_);
  }

  /// Whether there is room for `how_much` ready tasks, beyond what the wavefront's tasks are
  /// promised.
  CHANNELS_GPU_INLINE bool find_room(std::uint32_t how_much) {
    if (how_much == 0 || s_.ready.has_room(s_.promised + how_much - 1)) return true;
    // A task that has spawned before goes on later, when some of its children have been entered.
    if (children_ == 0) {
      s_.wanted = how_much;
      s_.wanted_by = what_;
    }
    return false;
  }

  template <class Value>
  CHANNELS_GPU_INLINE void put_result(const Value& value) {
    *static_cast<result_type*>(to_) = static_cast<result_type>(value);
  }

  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool add_child(typename Child::result_type* slot,
                                                   const typename Child::arguments& arguments) {
    if (runs_as_leaf<Child>(slot, level() + 1, arguments)) {
      ++s_.tasks;
      return true;
    }
    if constexpr (Task::spawn_bound == unbounded) {
      if (reserved_ != 0) {
        --reserved_;
      } else {
        // With the reserve, one child at a time.
        denied_ = s_.denied() || (s_.alone_with_reserve && children_ != 0) || !find_room(1);
        if (denied_) return false;
      }
    }
    ready_task<Set> t;
    t.what = Set::template id<Child> | (level() + 1) << task_bits;
    t.parent = place_;
    t.to = address_of(slot);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) t.arguments[i] = 0;
    memcpy(t.arguments, &arguments, sizeof arguments);
    s_.ready.push(t);
    ++children_;
    return true;
  }

  /// Where `slot` will be when the frame is in its place.
  [[nodiscard]] CHANNELS_GPU_INLINE void* address_of(void* slot) {
    if constexpr (is_private) return place_in(slot, &frame_, body());
    return slot;
  }

  /// Runs the task until it ends, or waits for children or for room.
  CHANNELS_GPU_INLINE void go_on(outcome o) {
    while (o == outcome::suspended && can_go_on()) o = go_on_at_point();
    if (o == outcome::finished) {
      if constexpr (task_traits<Task>::allocates) give_blocks_back();
      s_.free_frame = place_;
      s_.ended_below = parent_;
    } else if (o == outcome::yielded) {
      ++s_.yields;
      if (!denied_) s_.fail(failure::room, what_);
      give_way();
    }
  }

  /// At a sync: true if no child is left. Otherwise the frame waits.
  CHANNELS_GPU_INLINE bool can_go_on() {
    if (!keeps_going_) {
      if (children_ == 0) return true;
      save(children_, 0);
      return false;
    }
    save_body(0);
    const std::uint32_t change = children_ - 1;  // the frame no longer counts itself
    // Release: publishes the frame. Acquire: sees what children wrote. The last child may end on
    // another wavefront at the same time.
    const std::uint32_t before = fetch_add<order::acq_rel>(&header().joins, change);
    children_ = 0;
    keeps_going_ = false;
    return ((before + change) & ~shared_frame) == 0;
  }

  /// The task yields in the middle of its spawns, and goes on after other tasks. If memory is out,
  /// it goes on when its children have ended: a frame that can be resumed then waits for no child
  /// (reserve.hpp).
  CHANNELS_GPU_INLINE void give_way() {
    if ((is_private || s_.pressed) && children_ != 0) {
      (void)can_go_on();
      return;
    }
    if (keeps_going_) {
      save_body(keeps_going);
      // Relaxed: the frame counts itself, so no child can bring the count to zero.
      if (children_ != 0) fetch_add<order::relaxed>(&header().joins, children_);
    } else {
      save(children_ + 1, keeps_going);
    }
    s_.to_resume = place_;
  }

  /// Writes the frame to its place. No other lane knows the frame: its children have not begun, or
  /// all have ended.
  CHANNELS_GPU_INLINE void save(std::uint32_t joins, std::uint32_t flags) {
    frame_header& h = header();
    const std::uint32_t shared = !is_fresh_ && s_.is_shared(place_) ? shared_frame : 0;
    h.joins = joins | shared;
    h.what = what_;
    h.parent = parent_;
    h.point = point_ | flags;
    h.to = to_;
    if constexpr (is_private) *body() = frame_;
  }
  CHANNELS_GPU_INLINE void save_body(std::uint32_t flags) {
    header().point = point_ | flags;
    if constexpr (is_private) *body() = frame_;
  }

  using base::point_;
  state& s_;
  void* to_;
  frame_index parent_;
  std::uint32_t what_;
  frame_index place_;
  std::uint32_t children_ = 0;  ///< spawned since the task was entered or resumed
  std::uint32_t reserved_ = 0;  ///< spawns that may not be refused, of those without a bound
  bool is_fresh_ = true;        ///< the task is being entered, and its frame's place is unused
  bool keeps_going_ = false;
  bool has_blocks_ = false;
  bool denied_ = false;
  std::conditional_t<is_private, frame_type, nothing> frame_;
};

}  // namespace channels::gpu::detail
