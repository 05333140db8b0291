#pragma once

#include "channels/gpu/scheduler/frames.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// A ready task: one that can be entered. `what` is the task and its level.
template <class Set, bool SumsUp = Set::summing>
struct ready_task {
  static constexpr std::uint32_t words = 4 + Set::argument_words;

  std::uint32_t what;
  frame_index parent;
  void* to;
  std::uint32_t arguments[Set::argument_words];

  /// Calls `function` with the number of each word and the word.
  template <class Function>
  CHANNELS_GPU_INLINE void for_each_word(Function function) {
    std::uint32_t address[2];
    memcpy(address, &to, sizeof to);
    function(0, what);
    function(1, parent);
    function(2, address[0]);
    function(3, address[1]);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) function(4 + i, arguments[i]);
    memcpy(&to, address, sizeof to);
  }
};

/// A ready task of the summing kind, which has no parent that waits for it.
template <class Set>
struct ready_task<Set, true> {
  static constexpr std::uint32_t words = 1 + Set::argument_words;

  std::uint32_t what;
  std::uint32_t arguments[Set::argument_words];

  template <class Function>
  CHANNELS_GPU_INLINE void for_each_word(Function function) {
    function(0, what);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) function(1 + i, arguments[i]);
  }
};

/// The stack of a wavefront's ready tasks. The newest are entered first, so that memory stays
/// small; the oldest are given away, because they have the largest subtrees. The top of the stack
/// is a window in the memory of the work-group. What is below the window, or did not fit, is in
/// pages of the pool. Both are made of rows of a wavefront's width, word by word, so that lanes
/// access neighbouring words.
template <class Set>
class ready_stack {
 public:
  using task = ready_task<Set>;

  static constexpr std::uint32_t window_rows = Set::lane_private || Set::summing
                                                   ? group_memory_tuning::window_rows_beside_lanes
                                                   : group_memory_tuning::window_rows;
  static constexpr std::uint32_t most_pages = pool_tuning::most_pages;
  static_assert((most_pages & (most_pages - 1)) == 0, "task numbers wrap around");
  static constexpr std::uint32_t page_tasks = pool_tuning::page_rows * wave_width;
  static constexpr std::uint32_t page_units =
      static_cast<std::uint32_t>(page_tasks * task::words * sizeof(std::uint32_t) / unit_bytes);

  /// Words of the work-group's memory.
  static constexpr CHANNELS_DEVICE std::uint32_t words(unsigned width) {
    return 1 + most_pages + window_rows * width * task::words;
  }

  CHANNELS_GPU_INLINE ready_stack(const run_parameters<Set>& run, std::uint32_t* memory)
      : run_(run), next_(memory), pages_(memory + 1), window_(memory + 1 + most_pages) {
    if (lane_index() == 0) *next_ = 0;
    fence_in_wave();
  }

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t size() const { return top_ - bottom_; }

  // All lanes of the wavefront call these together:

  /// Makes sure of room for `most` more tasks. Returns for how many there is: fewer than `most` if
  /// memory is out, and then as many as the window has room for.
  CHANNELS_GPU_INLINE std::uint32_t provide(std::uint32_t most) {
    while (paged() < most) {
      if (first_page_ == paged_) {
        // The window had room for all tasks so far.
        first_page_ = paged_ = bottom_ - bottom_ % page_tasks;
      }
      std::uint32_t page = no_unit;
      if (first_page_ != paged_ && bottom_ - first_page_ >= page_tasks) {
        // All tasks of the oldest page were given away.
        page = page_of(first_page_);
        first_page_ += page_tasks;
      } else if (paged_ - first_page_ < most_pages * page_tasks) {
        page = take_units(run_, page_units);
      }
      if (page == no_unit) return note_room(max(paged(), room_in_window()));
      fence_in_wave();
      if (lane_index() == 0) page_of(paged_) = page;
      fence_in_wave();
      paged_ += page_tasks;
    }
    return note_room(paged());
  }

  /// As `provide`, with pages from the end of the reserve, which the wavefront has. Gives pages
  /// back that lie beyond what is wanted.
  CHANNELS_GPU_INLINE std::uint32_t provide_from_reserve(std::uint32_t most, reserve_state& state) {
    if (first_page_ == paged_) first_page_ = paged_ = bottom_ - bottom_ % page_tasks;
    while (has_page_of_reserve() && paged() >= most + page_tasks) {
      paged_ -= page_tasks;
      if (lane_index() == 0) set(state.high, value_of(state.high) + page_units);
    }
    fence_in_wave();  // the list of pages was read
    while (paged() < most && max(paged(), room_in_window()) < most &&
           paged_ - first_page_ < most_pages * page_tasks) {
      std::uint32_t page = no_unit;
      if (lane_index() == 0 && value_of(state.low) + page_units <= value_of(state.high)) {
        const std::uint32_t high = value_of(state.high) - page_units;
        set(state.high, high);
        page = run_.first_of_reserve() + high;
        page_of(paged_) = page;
      }
      page = of_lane(page, 0);
      if (page == no_unit) break;
      paged_ += page_tasks;
    }
    fence_in_wave();
    return note_room(max(paged(), room_in_window()));
  }
  /// Forgets the pages of the reserve. Tasks that are older than these pages, but were written
  /// there with a full window, go back to the window.
  CHANNELS_GPU_INLINE void drop_pages_of_reserve() {
    if (!has_page_of_reserve()) return;
    std::uint32_t first = paged_;
    while (first != first_page_ && page_of(first - page_tasks) >= run_.first_of_reserve())
      first -= page_tasks;
    // Before the reserve was taken they had no page, so the window has room for them.
    std::uint32_t from = first;
    if (static_cast<std::int32_t>(from - bottom_) < 0) from = bottom_;
    if (static_cast<std::int32_t>(window_start_ - from) > 0) {
      for (std::uint32_t i = from + lane_index();
           static_cast<std::int32_t>(i - window_start_) < 0 &&
           static_cast<std::int32_t>(i - top_) < 0;
           i += wave_width) {
        const std::uint32_t* const there = far(i);
        std::uint32_t* const here = near(i);
        for (std::uint32_t w = 0; w < task::words; ++w)
          here[w * wave_width] = there[w * wave_width];
      }
      window_start_ = from;
    }
    fence_in_wave();
    paged_ = first;
    (void)note_room(0);
  }

  /// Takes the `how_many` newest tasks, one for each lane whose `rank` is below that.
  CHANNELS_GPU_INLINE void pop(std::uint32_t how_many, std::uint32_t rank, task& t) {
    if (rank < how_many) load(top_ - how_many + rank, t);
    fence_in_wave();
    top_ -= how_many;
    if (static_cast<std::int32_t>(top_ - window_start_) < 0) {
      // Room without pages moves with the window.
      if (static_cast<std::int32_t>(end_ - paged_) > 0) end_ -= window_start_ - top_;
      window_start_ = top_;
    }
    if (lane_index() == 0) *next_ = top_;
    fence_in_wave();
  }

  /// After a turn: makes what lanes have pushed part of the stack, and writes a window that is full
  /// to the pages.
  CHANNELS_GPU_INLINE void finish_pushes() {
    fence_in_wave();
    top_ = *next_;
    if (top_ - window_start_ <= window_tasks) return;
    CHANNELS_GPU_UNROLL
    for (std::uint32_t row = 0; row < window_rows; ++row) {
      const std::uint32_t i = window_start_ + row * wave_width + lane_index();
      // A task that was given away may have no page any more.
      if (static_cast<std::int32_t>(i - bottom_) < 0) continue;
      const std::uint32_t* const from = near(i);
      std::uint32_t* const to = far(i);
      CHANNELS_GPU_UNROLL
      for (std::uint32_t w = 0; w < task::words; ++w) to[w * wave_width] = from[w * wave_width];
    }
    window_start_ = top_;
    fence_in_wave();
  }

  CHANNELS_GPU_INLINE void newest(task& t) const { load(top_ - 1, t); }
  /// The `i`-th oldest task.
  CHANNELS_GPU_INLINE void oldest(std::uint32_t i, task& t) const { load(bottom_ + i, t); }
  CHANNELS_GPU_INLINE void drop_oldest(std::uint32_t how_many) { bottom_ += how_many; }
  /// Adds a task of each of the first `how_many` lanes. The caller has made sure of room.
  CHANNELS_GPU_INLINE void add(std::uint32_t how_many, task& t) {
    if (lane_index() < how_many) store(top_ + lane_index(), t);
    if (lane_index() == 0) *next_ = top_ + how_many;
    finish_pushes();
  }

  // One lane calls these, within a turn:

  /// Whether there is room for a task besides the `promised` ones.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_room(std::uint32_t promised) const {
    // Relaxed: other lanes push meanwhile, but no more than they were promised.
    return static_cast<std::int32_t>(end_ - load_next()) > static_cast<std::int32_t>(promised);
  }
  /// Adds a task. The caller has made sure of room. Other lanes see it after `finish_pushes`.
  CHANNELS_GPU_INLINE void push(task& t) { store(claim(next_), t); }

 private:
  /// Whether the last page is of the reserve.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_page_of_reserve() const {
    return paged_ != first_page_ && page_of(paged_ - page_tasks) >= run_.first_of_reserve();
  }

  static constexpr std::uint32_t window_tasks = window_rows * wave_width;

  /// For how many more tasks there are pages.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t paged() const {
    const auto tasks = static_cast<std::int32_t>(paged_ - top_);
    return tasks < 0 ? 0 : static_cast<std::uint32_t>(tasks);
  }
  /// For how many more there is room without pages: tasks leave the window only when it is full.
  CHANNELS_GPU_INLINE std::uint32_t room_in_window() {
    if (size() == 0) window_start_ = top_;
    return window_start_ + window_tasks - top_;
  }
  CHANNELS_GPU_INLINE std::uint32_t note_room(std::uint32_t room) {
    end_ = top_ + room;
    return room;
  }

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t load_next() const {
    return gpu::detail::load<order::relaxed, scope::group>(next_);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* near(std::uint32_t i) const {
    return window_ + i / wave_width % window_rows * (wave_width * task::words) + i % wave_width;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t& page_of(std::uint32_t i) const {
    return pages_[i / page_tasks % most_pages];
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* far(std::uint32_t i) const {
    return reinterpret_cast<std::uint32_t*>(run_.pool + std::size_t{page_of(i)} * unit_bytes) +
           i % page_tasks / wave_width * (wave_width * task::words) + i % wave_width;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_near(std::uint32_t i) const {
    return i - window_start_ < window_tasks;
  }
  CHANNELS_GPU_INLINE void load(std::uint32_t i, task& t) const {
    if (is_near(i)) {
      const std::uint32_t* const from = near(i);
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { word = from[w * wave_width]; });
    } else {
      const std::uint32_t* const from = far(i);
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { word = from[w * wave_width]; });
    }
  }
  CHANNELS_GPU_INLINE void store(std::uint32_t i, task& t) const {
    if (is_near(i)) {
      std::uint32_t* const to = near(i);
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { to[w * wave_width] = word; });
    } else {
      std::uint32_t* const to = far(i);
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { to[w * wave_width] = word; });
    }
  }

  const run_parameters<Set>& run_;
  std::uint32_t* next_;  ///< the number of the next task; equals `top_` between turns
  std::uint32_t* pages_;
  std::uint32_t* window_;  ///< tasks from `window_start_` on, as many as fit
  std::uint32_t bottom_ = 0;
  std::uint32_t top_ = 0;
  std::uint32_t window_start_ = 0;
  std::uint32_t end_ = 0;  ///< there is room for tasks with smaller numbers
  // There are pages for the tasks from `first_page_` to `paged_`.
  std::uint32_t first_page_ = 0;
  std::uint32_t paged_ = 0;
};

}  // namespace channels::gpu::detail
