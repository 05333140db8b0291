#pragma once

#include "channels/detail/lane_base.hpp"
#include "channels/gpu/channels/batch_lane.hpp"
#include "channels/gpu/port/wave_leaf.hpp"
#include "channels/host/task_record.hpp"
#include "channels/readiness.hpp"
#include "channels/task_traits.hpp"

/// The execution context of tasks that go through channels on a GPU.
namespace channels::gpu::detail {

/// What frames of the counted rule begin with: see host::frame_head.
struct channel_frame_head {
  using blocks = task_blocks;

  /// A value that no number of children brings to zero: on while the frame's own task runs.
  static constexpr std::uint32_t running = 1U << 30U;

  std::uint32_t join;     ///< children that have not finished, and `running`; 0: ready
  std::uint32_t channel;  ///< of the frame
  std::uint64_t ticket;

  /// Adds to the join count. One lane calls it. True if that brings the count to zero: no other
  /// lane uses the frame then, and the caller makes sure that the task goes on.
  CHANNELS_GPU_INLINE bool add(std::uint32_t change) {
    // Device scope. Release: publishes the results that were written for the frame. Acquire: the
    // lane that brings the count to zero passes the frame on with what all others wrote.
    return fetch_add<order::acq_rel>(&join, change) + change == 0;
  }
  /// Acquire: a lane that finds the frame ready sees what its children wrote.
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_ready() const {
    return load<order::acquire>(&join) == 0;
  }
  /// The frame's task goes on. Children of one that yielded still count. Relaxed: no other lane
  /// uses a frame that is ready.
  CHANNELS_GPU_INLINE void begin() {
    if (load<order::relaxed>(&join) == 0) store<order::relaxed>(&join, running);
  }
};

template <task Task, readiness Rule>
using channel_element = host::task_element<Task, Rule, channel_frame_head>;
template <task Task, readiness Rule>
using channel_record = host::frame_record<Task, Rule, channel_frame_head>;

/// Stands for the point of a frame that was taken and not used (levelized).
inline constexpr std::uint32_t unused_frame = ~std::uint32_t{0};

/// The lane of a task that goes through channels on a GPU. Outputs of a task's nodes: the frames of
/// its level, then the level below of each task in `spawns`.
template <task Task, readiness Rule>
class channel_lane : public channels::detail::lane_base<channel_lane<Task, Rule>, Task> {
  using base = channels::detail::lane_base<channel_lane<Task, Rule>, Task>;
  friend channels::detail::lane_base<channel_lane<Task, Rule>, Task>;

 public:
  using typename base::frame_type;
  /// The wavefront takes group leaves.
  static constexpr bool takes_leaves = true;
  using typename base::result_type;
  using record = channel_record<Task, Rule>;

  CHANNELS_GPU_INLINE explicit channel_lane(batch_lane& lane)
      : channel_lane(lane, std::make_index_sequence<kinds>{}) {}

  // What a task calls.

  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* open(Counts... counts) {
    if (!frames_.reserve_one(lane_) || !reserve<Children...>(counts...)) return nullptr;
    ticket_ = frames_.next_ticket();
    record_ = reinterpret_cast<record*>(frames_.data()) + frames_.next_slot();
    record_->up() = up_;
    if constexpr (task_traits<Task>::allocates) record_->blocks() = {nullptr, lane_.batch().grants};
    if constexpr (Rule == readiness::counted) {
      record_->head = {channel_frame_head::running, lane_.batch().outputs[0].channel, ticket_};
    }
    open_ = true;
    return &record_->frame;
  }

  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(Counts... counts) {
    static_assert(sizeof...(Children) == sizeof...(Counts), "one count for each task");
    return (children_[kind_of<Children>()].reserve(lane_, static_cast<std::uint32_t>(counts)) &&
            ...);
  }

  [[nodiscard]] CHANNELS_GPU_INLINE void* allocate(std::size_t bytes) {
    static_assert(task_traits<Task>::allocates, "a task that allocates says so: allocates = true");
    if (lane_.refuses()) return nullptr;
    void* const room = lane_.batch().heap.take(record_->blocks(), bytes);
    starved_ = room == nullptr;
    return room;
  }

  [[nodiscard]] CHANNELS_GPU_INLINE outcome sync(std::uint32_t point) {
    record_->point = point;
    if constexpr (Rule == readiness::counted) {
      all_finished_ = record_->head.add(spawned_ - channel_frame_head::running);
    }
    return outcome::suspended;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome yield(std::uint32_t point) {
    record_->point = point;
    if constexpr (Rule == readiness::counted) (void)record_->head.add(spawned_);
    return outcome::yielded;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const { return lane_.batch().level; }

  // What the kernel calls.

  /// The pre-spawn node, for one element. One lane calls it. False if the element is a group leaf,
  /// which the wavefront has to run.
  CHANNELS_GPU_INLINE bool enter(const channel_element<Task, Rule>& e, std::uint64_t ticket) {
    const batch_parameters& b = lane_.batch();
    up_ = e.up();
    begin(false);
    if constexpr (has_group_leaf<Task>) {
      if (Task::is_leaf(e.arguments)) return false;
    }
    const outcome o = Task::enter(*this, e.arguments);
    if ((o == outcome::finished || o == outcome::retry) && open_) {
      release_memory();
      frames_.give_back_last();
    }
    if (o == outcome::finished) {
      report();
    } else if (o == outcome::retry) {
      retried_ = true;
      lane_.say(remark::no_room, b.source_channel, ticket);
    } else if (o == outcome::yielded) {
      lane_.say(why_yielded(), b.outputs[0].channel, ticket_);
    } else if constexpr (Rule == readiness::counted) {
      if (all_finished_) hand_over(record_->head);
    }
    return true;
  }

  /// Runs the group leaves that some lanes have, one after the other. All lanes of the wavefront
  /// call it. `memory`: `leaf_bytes` of the work-group's memory, for this wavefront.
  CHANNELS_GPU_INLINE void run_leaves(const channel_element<Task, Rule>& e, bool is_leaf,
                                      std::byte* memory) {
    constexpr std::uint32_t words = (sizeof e.arguments + 3) / 4;
    std::uint32_t arguments[words] = {};
    void* to = nullptr;
    if (is_leaf) {
      memcpy(arguments, &e.arguments, sizeof e.arguments);
      if constexpr (!std::is_void_v<result_type>) to = e.up().slot;
    }
    for (lane_mask left = ballot(is_leaf); left != 0; left &= left - 1) {
      const auto call = call_of_lane<words>(arguments, to, first(left));
      leaf_division whole{0, 1, 0};
      run_group_leaf<Task>(call.arguments, call.to, memory, whole);
    }
    if (is_leaf) report();
  }

  /// The post-spawn node, for one frame. One lane calls it.
  CHANNELS_GPU_INLINE void resume(std::uint64_t ticket) {
    const batch_parameters& b = lane_.batch();
    record_ =
        reinterpret_cast<record*>(b.source) + (static_cast<std::uint32_t>(ticket) & b.source_mask);
    if constexpr (Rule == readiness::levelized) {
      if (record_->point == unused_frame) return;
    } else if (b.tallies != nullptr) {
      // The batch is a stretch of the channel. It resumes those of its frames that are ready, up to
      // the number that there is room for.
      if (!record_->head.is_ready()) return;
      if (claim(&b.counters->frames, 1, b.budget) >= b.budget) return;
    }
    up_ = record_->up();
    begin(true);
    if constexpr (task_traits<Task>::allocates) record_->blocks().granted |= b.grants;
    outcome o = outcome::suspended;
    do {
      spawned_ = 0;
      all_finished_ = false;
      if constexpr (Rule == readiness::counted) record_->head.begin();
      o = Task::resume(*this, record_->frame, record_->point);
    } while (o == outcome::suspended && all_finished_);
    if (o == outcome::finished) {
      release_memory();
      if (b.tallies != nullptr) b.frames.free(ticket);
      report();
    } else if (o == outcome::yielded) {
      lane_.say(why_yielded(), b.source_channel, ticket);
    } else if (Rule == readiness::levelized) {
      lane_.say(remark::suspended, b.source_channel, ticket);
    } else if (b.tallies == nullptr) {
      lane_.say(remark::kept, b.source_channel, ticket);
    }
  }

  /// Ends the batch for this lane. All lanes of the wavefront call it.
  CHANNELS_GPU_INLINE void close() {
    if constexpr (Rule == readiness::levelized) {
      // A frame that a task did not need after all: its continuation sees this point. A remark
      // would cost more. Not if a task found no room: that frame is not used at all.
      if (frames_.reserved() != 0 && !retried_) {
        auto* const unused = reinterpret_cast<record*>(frames_.data()) + frames_.next_slot();
        unused->point = unused_frame;
      }
    } else if (lane_.batch().tallies != nullptr) {
      for (; frames_.reserved() != 0; frames_.skip()) {
        lane_.batch().frames.free(frames_.next_ticket());
        (void)claim(&lane_.batch().counters->frames);
      }
    }
    frames_.close(lane_);
    for (window_port& p : children_) p.close(lane_);
  }

 private:
  static constexpr std::uint32_t kinds = Task::spawns::size;
  static_assert(kinds < most_outputs, "a task spawns more kinds of tasks than a batch has outputs");

  template <std::size_t... I>
  CHANNELS_GPU_INLINE channel_lane(batch_lane& lane, std::index_sequence<I...> /*kinds*/)
      : lane_(lane),
        frames_(lane.batch(), 0),
        children_{window_port(lane.batch(), static_cast<std::uint32_t>(I) + 1)...} {}

  template <class Child>
  static constexpr CHANNELS_DEVICE std::uint32_t kind_of() {
    constexpr std::uint32_t kind = channels::detail::position<Child, typename Task::spawns>::value;
    static_assert(kind < kinds, "a task spawns one that is not in its `spawns` list");
    return kind;
  }

  CHANNELS_GPU_INLINE void begin(bool open) {
    open_ = open;
    spawned_ = 0;
    all_finished_ = false;
    starved_ = false;
  }
  /// Gives back what the task allocated. It has finished.
  CHANNELS_GPU_INLINE void release_memory() {
    if constexpr (task_traits<Task>::allocates) {
      if (record_->blocks().first == nullptr) return;
      lane_.batch().heap.give_back(record_->blocks());
      (void)claim(&lane_.batch().counters->released);
    }
  }
  [[nodiscard]] CHANNELS_GPU_INLINE remark::what why_yielded() const {
    if constexpr (task_traits<Task>::allocates) {
      if (starved_)
        return record_->blocks().granted != 0 ? remark::no_memory_granted : remark::no_memory;
    }
    return remark::no_room;
  }

  template <class Value>
  CHANNELS_GPU_INLINE void put_result(const Value& value) {
    *up_.slot = value;
  }
  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool add_child([[maybe_unused]]
                                                   typename Child::result_type* slot,
                                                   const typename Child::arguments& arguments) {
    auto* const e = next_child<Child>();
    if (e == nullptr) return false;
    e->arguments = arguments;
    if constexpr (!std::is_void_v<typename Child::result_type>) e->up().slot = slot;
    return true;
  }

  /// Where the next child goes; null if there is no room.
  template <class Child>
  CHANNELS_GPU_INLINE channel_element<Child, Rule>* next_child() {
    window_port& to = children_[kind_of<Child>()];
    if (!to.reserve_one(lane_)) return nullptr;
    auto* const e = reinterpret_cast<channel_element<Child, Rule>*>(to.data()) + to.next_slot();
    if constexpr (Rule == readiness::counted) {
      ++spawned_;
      e->up().parent = &record_->head;
    }
    return e;
  }

  /// Tells the parent that the task has finished.
  CHANNELS_GPU_INLINE void report() {
    if constexpr (Rule == readiness::counted) {
      channel_frame_head* const parent = up_.parent;
      if (parent != nullptr && parent->add(~std::uint32_t{0})) hand_over(*parent);
    }
  }
  /// Tells the aggregator that the last child of a frame has finished. The device aggregator learns
  /// only the number of such frames in a channel, and sends a batch to look for them.
  CHANNELS_GPU_INLINE void hand_over(const channel_frame_head& frame) {
    const batch_parameters& b = lane_.batch();
    if (b.tallies != nullptr) {
      tally(b.tallies, frame.channel);
    } else {
      lane_.say(remark::ready, frame.channel, frame.ticket);
    }
  }

  batch_lane& lane_;
  window_port frames_;
  window_port children_[kinds == 0 ? 1 : kinds];
  host::up_link<Rule, result_type, channel_frame_head> up_{};
  record* record_ = nullptr;
  std::uint64_t ticket_ = 0;
  std::uint32_t spawned_ = 0;
  bool open_ = false;
  bool all_finished_ = false;
  bool retried_ = false;
  bool starved_ = false;  ///< found no memory when it asked last
};

/// Bytes of a work-group's memory for the group leaves of each of its wavefronts.
template <class Task>
inline constexpr std::size_t leaf_bytes = (task_traits<Task>::leaf_memory + 15) / 16 * 16;

/// The pre-spawn node, for all elements of a batch that are this lane's. All lanes of the wavefront
/// call it.
template <task Task, readiness Rule>
CHANNELS_GPU_INLINE void enter_elements(batch_lane& lane) {
  const batch_parameters& b = lane.batch();
  channel_lane<Task, Rule> tasks(lane);
  const auto* const elements = reinterpret_cast<const channel_element<Task, Rule>*>(b.source);
  for (std::uint32_t first_of_wave = lane.at().wave * wave_width; first_of_wave < b.count;
       first_of_wave += lane.items()) {
    const std::uint32_t i = first_of_wave + lane_index();
    channel_element<Task, Rule> e;
    bool is_leaf = false;
    if (i < b.count) {
      const std::uint64_t ticket = b.ticket(i);
      e = elements[static_cast<std::uint32_t>(ticket) & b.source_mask];
      is_leaf = !tasks.enter(e, ticket);
    }
    if constexpr (has_group_leaf<Task>) {
      converge();
      tasks.run_leaves(e, is_leaf, lane.at().memory);
    }
  }
  tasks.close();
}

/// The post-spawn node, for all frames of a batch that are this lane's. All lanes of the wavefront
/// call it.
template <task Task, readiness Rule>
CHANNELS_GPU_INLINE void resume_frames(batch_lane& lane) {
  const batch_parameters& b = lane.batch();
  channel_lane<Task, Rule> tasks(lane);
  for (std::uint32_t i = lane.item(); i < b.count; i += lane.items()) tasks.resume(b.ticket(i));
  tasks.close();
}

template <task Task, readiness Rule>
CHANNELS_GPU_BATCH_KERNEL run_enter(const CHANNELS_GPU_PARAMETER batch_parameters b,
                                    std::uint32_t waves) {
  const batch_place at = place_in_kernel(b, waves, leaf_bytes<Task>);
  batch_lane lane(b, at);
  lane.begin();
  enter_elements<Task, Rule>(lane);
  lane.end();
}
template <task Task, readiness Rule>
CHANNELS_GPU_BATCH_KERNEL run_resume(const CHANNELS_GPU_PARAMETER batch_parameters b,
                                     std::uint32_t waves) {
  const batch_place at = place_in_kernel(b, waves);
  batch_lane lane(b, at);
  lane.begin();
  resume_frames<Task, Rule>(lane);
  lane.end();
}

}  // namespace channels::gpu::detail
