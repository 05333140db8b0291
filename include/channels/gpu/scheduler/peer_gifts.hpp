#pragma once

#include "channels/gpu/scheduler/nth.hpp"
#include "channels/gpu/scheduler/run_end.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// How the GPUs of a run share ready tasks, without the host. It is what wavefronts do among
/// themselves (gifts.hpp), once more: a hungry GPU sets bits of its word `peer_block::wants`, one
/// for each of its lines; a wavefront of another GPU that has plenty clears a bit, puts its oldest
/// tasks into that line, and writes their number behind them. Each line is read by one wavefront of
/// the hungry GPU, its *owner*, which asks, and passes on what comes as it does with all that it
/// has.
///
/// The other GPUs' memory is microseconds away. So only some wavefronts look there, one lane reads
/// one word, and the read is on its way during a turn. A GPU asks when a sixteenth of its
/// wavefronts are hungry. It gives when less than a quarter are, and in any case to one that asks
/// with many of its lines, which has next to nothing: what it gives at the start of a run are large
/// parts of it, and what it gives later are small ones. So the GPU with the root starts last, when
/// the others ask already.
///
/// Only tasks of the summing kind travel: they have no tie to where they came from. All lanes of
/// the wavefront call these functions together.
template <class Set>
class peer_gifts {
 public:
  using task = ready_task<Set>;

  CHANNELS_GPU_INLINE explicit peer_gifts(lane_state<Set>& lane)
      : run_(lane.run), lane_(lane), ready_(lane.ready), at_(run_.peers.self) {}

  /// Before a turn: starts the reads whose results `end_look` uses after it. Orders no memory.
  CHANNELS_GPU_INLINE void begin_look(std::uint32_t looks, bool may_give) {
    message_ = 0;
    if (owns_line() && lane_index() == 0 &&
        (has_asked_ || looks % gift_tuning::looks_between_mailbox_reads == 0)) {
      // Relaxed: `receive` acquires what a message stands for. Of the system's scope: another GPU
      // writes it.
      message_ = load<order::relaxed, scope::system>(&own().lines[line()].message);
    }
    wants_ = 0;
    if (may_give && lane_.wave % givers_apart() == 0) {
      at_ = at_ + 1 == run_.peers.count ? 0 : at_ + 1;
      // Relaxed, of the system's scope: the GPU that it belongs to changes it. Only its bits
      // matter.
      if (at_ != run_.peers.self && lane_index() == 0)
        wants_ = load<order::relaxed, scope::system>(&run_.peers.blocks[at_]->wants);
    }
  }

  /// After a turn: whether another GPU has said that the run is over. Then the wavefronts of this
  /// one that look here no more than that are told.
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_over() {
    message_ = of_lane(message_, 0);
    if (message_ != run_is_over) return false;
    const std::uint32_t end = min((line() + 1) * owners_apart(), run_.waves);
    for (std::uint32_t i = lane_.wave + lane_index(); i < end; i += wave_width) {
      // Relaxed: see run_end.
      store<order::relaxed>(&run_.mailboxes[i].message, run_is_over);
    }
    return true;
  }

  /// Then: takes a gift that has come. True if there was one.
  [[nodiscard]] CHANNELS_GPU_INLINE bool take() {
    const std::uint32_t size = message_;
    if (size == 0 || ready_.provide(size) < size) return false;
    line_message& from = own().lines[line()];
    // Acquire, of the system's scope: what is in the line, and all that its tasks may read. Each
    // lane acquires for itself.
    (void)load<order::acquire, scope::system>(&from.message);
    fence_in_wave();
    task t;
    const std::uint32_t* const tasks = tasks_of(own(), line()) + lane_index();
    if (lane_index() < size) {
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { word = tasks[w * wave_width]; });
    }
    // Relaxed: the release when the wavefront asks again comes after it. An exchange, since the end
    // of the run, which may have been written meanwhile, must not be lost.
    if (lane_index() == 0) {
      (void)compare_exchange<order::relaxed, scope::system>(&from.message, size, std::uint32_t{0});
      // Relaxed: the host reads it when the kernel has ended. Not in a register until then: gifts
      // between GPUs are rare, and registers are not.
      fetch_add<order::relaxed>(&run_.control->peer_taken, std::uint64_t{size});
    }
    has_asked_ = false;
    ready_.add(size, t);
    return true;
  }

  /// Then, if the wavefront is hungry: asks other GPUs, if some others of this GPU are hungry, too.
  CHANNELS_GPU_INLINE void ask() {
    if (!owns_line() || has_asked_) return;
    const std::uint32_t words = (run_.waves + 31) / 32;
    std::uint32_t hungry = 0;
    // Relaxed: a guess.
    if (lane_index() < words) hungry = load<order::relaxed>(&run_.hungry[lane_index()]);
    if (gift_tuning::part_that_asks * total_of_wave(count(hungry)) < in_view()) return;
    has_asked_ = true;
    fence_in_wave();
    // Release, of the system's scope: this wavefront has read the line before another GPU fills it.
    if (lane_index() == 0) fetch_or<order::release, scope::system>(&own().wants, 1U << line());
  }
  /// Then, if it is not hungry any more: takes back that it has asked, unless a gift is under way.
  CHANNELS_GPU_INLINE void take_back() {
    if (!has_asked_) return;
    std::uint32_t before = 0;
    // Relaxed: nothing but the bit matters. Of the system's scope: see peer_block.
    if (lane_index() == 0)
      before = fetch_and<order::relaxed, scope::system>(&own().wants, ~(1U << line()));
    has_asked_ = (of_lane(before, 0) >> line() & 1U) == 0;
  }

  /// Whether another GPU wants tasks and this one, of whose wavefronts in view `hungry` are, has
  /// some.
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_give(std::uint32_t hungry) {
    wants_ = of_lane(wants_, 0);
    if (count(wants_) >= gift_tuning::lines_that_come_first) return true;
    return wants_ != 0 && 4 * hungry < in_view();
  }
  /// Gives the oldest tasks, `most` at most, to the GPU that wants some. `random`: any number.
  CHANNELS_GPU_INLINE void give(std::uint32_t most, std::uint32_t random) {
    const std::uint32_t size = min(wave_width, most);
    peer_block& to = *run_.peers.blocks[at_];
    const unsigned line = nth(wants_, (random >> 12U) % count(wants_));
    std::uint32_t before = 0;
    if (lane_index() == 0) {
      // Relaxed: the fence below acquires, if this was not too late. Of the system's scope, as all
      // that follows: the word, the line and its owner are another GPU's.
      before = fetch_and<order_beside_fences, scope::system>(&to.wants, ~(1U << line));
    }
    if ((of_lane(before, 0) >> line & 1U) == 0) return;
    acquire_from_system();  // the line's owner has emptied it
    // Relaxed: the message releases it, and this GPU counts as working until then.
    if (lane_index() == 0)
      fetch_add<order::relaxed, scope::system>(&run_.peers.blocks[0]->working, 1U);
    if (lane_index() < size) {
      task t;
      ready_.oldest(lane_index(), t);
      std::uint32_t* const place = tasks_of(to, line) + lane_index();
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { place[w * wave_width] = word; });
    }
    ready_.drop_oldest(size);
    fence_in_wave();
    if (lane_index() == 0) {
      // Release, of the system's scope: the line, and what this GPU has written for these tasks,
      // as far as the wavefront has acquired it. An exchange, since the end of the run must not be
      // lost.
      (void)compare_exchange<order::release, scope::system>(&to.lines[line].message,
                                                            std::uint32_t{0}, size);
      // Relaxed: see `take`.
      fetch_add<order::relaxed>(&run_.control->peer_gifts, std::uint64_t{1});
      fetch_add<order::relaxed>(&run_.control->peer_given, std::uint64_t{size});
    }
  }

  /// Tells the other GPUs that the run is over. Orders no memory.
  CHANNELS_GPU_INLINE void tell_all() const {
    for (std::uint32_t i = 0; i < run_.peers.count; ++i) {
      if (i == run_.peers.self) continue;
      for (std::uint32_t line = lane_index(); line < peer_lines; line += wave_width) {
        // Relaxed: only the host reads what the wavefronts wrote, when the kernels have ended.
        store<order::relaxed, scope::system>(&run_.peers.blocks[i]->lines[line].message,
                                             run_is_over);
      }
    }
  }

 private:
  /// Owners of lines are so many wavefronts apart, and those that look whether others want gifts.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t owners_apart() const {
    return (run_.waves + peer_lines - 1) / peer_lines;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t givers_apart() const {
    return (run_.waves + gift_tuning::most_peer_givers - 1) / gift_tuning::most_peer_givers;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool owns_line() const {
    return lane_.wave % owners_apart() == 0;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t line() const {
    return lane_.wave / owners_apart();
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t in_view() const {
    return min(run_.waves, gift_tuning::hungry_in_view);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE peer_block& own() const {
    return *run_.peers.blocks[run_.peers.self];
  }
  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t* tasks_of(peer_block& block,
                                                                   std::uint32_t line) {
    return block.tasks() + std::size_t{line} * wave_width * task::words;
  }

  const run_parameters<Set>& run_;
  lane_state<Set>& lane_;
  ready_stack<Set>& ready_;
  std::uint32_t at_;  ///< the GPU whose word this wavefront has read
  std::uint32_t wants_ = 0;
  std::uint32_t message_ = 0;
  bool has_asked_ = false;  ///< its line's bit is set, or a gift is under way
};

}  // namespace channels::gpu::detail
