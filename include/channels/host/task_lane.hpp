#pragma once

#include <array>    // one port for each task that may be spawned
#include <utility>  // exchange

#include "channels/detail/lane_base.hpp"
#include "channels/host/port.hpp"
#include "channels/host/task_record.hpp"

namespace channels::host {

/// The ports of one batch of a task's node.
template <task Task, readiness Rule>
struct task_ports {
  static constexpr std::uint32_t kinds = Task::spawns::size;

  compute_unit& cu;
  port frames;
  std::array<port, kinds> children;
  port restarts;
  cursor restarts_at;
  std::uint64_t lanes_left;  ///< of the batch: how much room is worth asking for

  /// Outputs of `b`: the frames of its level, then the level below of each task in `spawns`.
  /// Without outputs, all ports are closed: a lane may finish there, and yields when it spawns.
  task_ports(compute_unit& unit, const batch& b)
      : cu(unit), restarts(unit.restarts), lanes_left(b.count) {
    if (b.output_count == 0) return;
    frames = port(b.outputs[0], Rule == readiness::levelized);
    for (std::uint32_t i = 0; i < kinds; ++i) children[i] = port(b.outputs[i + 1]);
  }

  /// Enqueues a restart context. There is room: no lane has two, and the aggregator dispatches no
  /// more lanes than the channel of restart contexts has elements.
  CHANNELS_COLD void restart(std::uint64_t ticket, const bound_channel* home,
                             restart_reason reason) {
    if (!restarts_at.has(1)) restarts_at = restarts.refill(cu, restarts_at, 1, 1, port::always);
    CHANNELS_CHECK(restarts_at.has(1));
    const channel_view& view = restarts.target()->view;
    layout_of<restart_context>::store(view.data(), view.capacity(), view.slot(restarts_at.next++),
                                      {ticket, home->id, reason});
  }
};

/// The lane of a task on the host. A wavefront's lanes run one after the other in the same object.
/// It is in registers, as nothing takes its address.
template <task Task, readiness Rule>
class task_lane : public detail::lane_base<task_lane<Task, Rule>, Task> {
  using base = detail::lane_base<task_lane<Task, Rule>, Task>;
  friend detail::lane_base<task_lane<Task, Rule>, Task>;

 public:
  using typename base::frame_type;
  using typename base::result_type;
  using record = frame_record<Task, Rule>;
  using ports = task_ports<Task, Rule>;

  CHANNELS_INLINE task_lane(ports& p, std::uint32_t level)
      : ports_(&p), frames_data_(p.frames.data()), frames_mask_(p.frames.mask()), level_(level) {
    for (std::uint32_t i = 0; i < ports::kinds; ++i) {
      children_data_[i] = p.children[i].data();
      children_mask_[i] = p.children[i].mask();
    }
  }

  // What a task calls.

  CHANNELS_FOR_HOST_LANES
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE frame_type* open(Counts... counts) {
    if (!has_room(frames_at_, ports_->frames, 1, ports_->lanes_left)) return nullptr;
    if (!reserve<Children...>(counts...)) return nullptr;
    ticket_ = frames_at_.next;
    record_ = reinterpret_cast<record*>(frames_data_) +
              (static_cast<std::uint32_t>(frames_at_.next++) & frames_mask_);
    record_->up() = up_;
    if constexpr (task_traits<Task>::allocates) record_->blocks().first = nullptr;
    open_ = true;
    if constexpr (Rule == readiness::counted) open_head();
    return &record_->frame;
  }

  CHANNELS_FOR_HOST_LANES
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE bool reserve(Counts... counts) {
    static_assert(sizeof...(Children) == sizeof...(Counts), "one count for each task");
    return (room_for<Children>(static_cast<std::uint32_t>(counts)) && ...);
  }

  CHANNELS_FOR_HOST_LANES
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE void* allocate(std::size_t bytes) {
    static_assert(task_traits<Task>::allocates, "a task that allocates says so: allocates = true");
    CHANNELS_CHECK(open_);
    // Without ports (see `task_ports`) the task yields, and asks again in a batch of its level.
    if (ports_->frames.target() == nullptr || ports_->cu.refuses()) return nullptr;
    void* const room =
        host::allocate(*ports_->cu.memory, record_->blocks(), bytes, level_, Task::name);
    if (room == nullptr) stopped_ = restart_reason::no_memory;
    return room;
  }

  CHANNELS_FOR_HOST_LANES
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE outcome sync(std::uint32_t point) {
    CHANNELS_CHECK(open_);
    record_->point = point;
    if constexpr (Rule == readiness::counted) {
      const std::uint32_t spawned = spawned_;
      spawned_ = 0;
      if (record_->head.wait_for(ports_->cu, spawned)) {
        record_->head.join = frame_head::running;
        all_finished_ = true;
      }
    }
    return outcome::suspended;
  }
  CHANNELS_FOR_HOST_LANES
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE outcome yield(std::uint32_t point) {
    CHANNELS_CHECK(open_);
    record_->point = point;
    if constexpr (Rule == readiness::counted) {
      record_->head.count(ports_->cu, spawned_);
      spawned_ = 0;
    }
    return outcome::yielded;
  }
  CHANNELS_FOR_HOST_LANES
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE std::uint32_t level() const { return level_; }

  // What the kernel calls.

  using link = up_link<Rule, result_type>;

  CHANNELS_INLINE void begin(const link& up) {
    up_ = up;
    open_ = false;
  }
  CHANNELS_INLINE void begin_resume(record* r, std::uint64_t ticket) {
    up_ = r->up();
    record_ = r;
    ticket_ = ticket;
    open_ = true;
  }
  /// Gives back what the task allocated; it has finished.
  CHANNELS_INLINE void release_memory() {
    if constexpr (task_traits<Task>::allocates) {
      if (record_->blocks().first != nullptr) release(*ports_->cu.memory, record_->blocks());
    }
  }
  /// Why the task yielded.
  [[nodiscard]] CHANNELS_INLINE restart_reason take_reason() {
    if constexpr (task_traits<Task>::allocates)
      return std::exchange(stopped_, restart_reason::no_room);
    return restart_reason::no_room;
  }
  /// Undoes an `open` of this lane: the task did not need its frame after all.
  CHANNELS_INLINE void drop_frame() {
    if (!open_) return;
    release_memory();
    --frames_at_.next;
  }
  /// Keeps the frame that was opened last from being enqueued with the others.
  CHANNELS_INLINE void leave_frame_out() { ports_->frames.leave_out_last(frames_at_.next); }
  /// True once if the last `sync` found that there is nothing to wait for.
  [[nodiscard]] CHANNELS_INLINE bool take_all_finished() {
    const bool all = all_finished_;
    all_finished_ = false;
    return all;
  }
  [[nodiscard]] CHANNELS_INLINE record* current() const { return record_; }
  [[nodiscard]] CHANNELS_INLINE std::uint64_t ticket() const { return ticket_; }
  [[nodiscard]] CHANNELS_INLINE const link& up() const { return up_; }

  /// Enqueues the children and frames of this batch, and returns the number of children. Children
  /// come first: a frame must not be ready before what it waits for.
  std::uint64_t close() {
    std::uint64_t spawned = 0;
    for (std::uint32_t i = 0; i < ports::kinds; ++i) {
      ports_->children[i].close(children_at_[i]);
      spawned += ports_->children[i].handed_out();
    }
    ports_->frames.close(frames_at_);
    ports_->restarts.close(ports_->restarts_at);
    return spawned;
  }

 private:
  template <class Child>
  static constexpr std::uint32_t kind_of() {
    constexpr std::uint32_t kind = detail::position<Child, typename Task::spawns>::value;
    static_assert(kind < ports::kinds, "a task spawns one that is not in its `spawns` list");
    return kind;
  }

  CHANNELS_INLINE bool has_room(cursor& at, port& p, std::uint32_t count, std::uint64_t most) {
    if (at.has(count)) return true;
    at = p.refill(ports_->cu, at, count, most);
    return at.has(count);
  }

  template <class Child>
  CHANNELS_INLINE bool room_for(std::uint32_t count) {
    constexpr std::uint32_t kind = kind_of<Child>();
    return has_room(children_at_[kind], ports_->children[kind], count,
                    ports_->lanes_left * task_traits<Task>::expected_spawns);
  }

  // CHANNELS_DEVICE, as the functions of lane_base that call them are.
  CHANNELS_FOR_HOST_LANES
  template <class Value>
  CHANNELS_INLINE CHANNELS_DEVICE void put_result(const Value& value) {
    *up_.slot = value;
  }
  CHANNELS_FOR_HOST_LANES
  template <task Child>
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE bool add_child(
      [[maybe_unused]] typename Child::result_type* slot,
      const typename Child::arguments& arguments) {
    if (!room_for<Child>(1)) return false;
    auto* const e = next_child<Child>();
    e->arguments = arguments;
    if constexpr (!std::is_void_v<typename Child::result_type>) e->up().slot = slot;
    return true;
  }

  template <class Child>
  CHANNELS_INLINE task_element<Child, Rule>* next_child() {
    constexpr std::uint32_t kind = kind_of<Child>();
    auto* const e = reinterpret_cast<task_element<Child, Rule>*>(children_data_[kind]) +
                    (static_cast<std::uint32_t>(children_at_[kind].next++) & children_mask_[kind]);
    if constexpr (Rule == readiness::counted) {
      ++spawned_;
      e->up().parent = &record_->head;
    }
    return e;
  }

  CHANNELS_INLINE void open_head();

  ports* ports_;
  cursor frames_at_;
  std::byte* frames_data_;
  std::uint32_t frames_mask_;
  std::array<cursor, ports::kinds> children_at_{};
  std::array<std::byte*, ports::kinds> children_data_{};
  std::array<std::uint32_t, ports::kinds> children_mask_{};

  link up_{};
  record* record_ = nullptr;
  std::uint64_t ticket_ = 0;
  std::uint32_t level_;
  std::uint32_t spawned_ = 0;
  bool open_ = false;
  bool all_finished_ = false;
  restart_reason stopped_ = restart_reason::no_room;
};

}  // namespace channels::host
