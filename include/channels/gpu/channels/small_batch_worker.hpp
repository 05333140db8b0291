#pragma once

#include "channels/gpu/channels/batch_worker.hpp"

/// A work-group that stays and runs small batches for the host's aggregator: starting a kernel and
/// learning of its end takes longer than such a batch. Messages go through pinned memory, as lines
/// (persistent.hpp), so that each way costs one trip over the bus.
namespace channels::gpu::detail {

/// What the host tells of a batch: a head, a window for each output, and runs of elements. Words of
/// 64 bits are two of 32, the lower first.
struct small_batch_message {
  static constexpr std::uint32_t near_lines = 2;  ///< always there, and enough mostly
  enum word : std::uint32_t {
    function = 0,
    closure = 2,
    source = 4,
    more_remarks = 6,
    source_mask = 8,
    source_channel,
    elements,
    level,
    seed,
    part,
    node,
    slot,
    outputs,
    runs,
    takes_tickets,  ///< instead of runs
    grants,
    log,
    head
  };
  enum of_window : std::uint32_t {
    window_data = 0,
    window_first = 2,
    window_count = 4,
    window_mask,
    window_channel,
    window_words
  };
  enum of_run : std::uint32_t { run_first = 0, run_count = 2, run_words };
  static constexpr std::uint32_t most_words =
      head + most_outputs * window_words + batch::most_runs * run_words;
  static constexpr std::uint32_t lines = (most_words + line::size - 1) / line::size;

  [[nodiscard]] CHANNELS_DEVICE static constexpr std::uint32_t words(std::uint32_t outputs,
                                                                     std::uint32_t runs) {
    return head + outputs * window_words + runs * run_words;
  }
  /// Instead of a function: the work-group leaves.
  static constexpr std::uint64_t over = 0;
};
/// What comes back, behind what a `report_word` names.
enum small_batch_report_word : std::uint32_t {
  report_released = report_word::frames + 1,
  report_began,
  report_ended = report_began + 2,
  small_batch_report_words = report_ended + 2
};
static_assert(small_batch_report_words <= line::size);

/// In the host's memory.
struct small_batch_lines {
  line message[small_batch_message::lines];
  line report;
  /// The number of the message that the work-group did not wait for any longer.
  std::uint32_t left;
};

struct small_batch_worker_parameters {
  small_batch_lines* lines;
  std::uint32_t first_number;  ///< of messages
  std::uint32_t refuse_share;
  std::uint32_t leaf_bytes;  ///< of a wavefront
  closure_block closures;
  task_heap heap;  ///< for tasks that allocate
  remark* remarks[device_batches_in_flight];
  const std::uint64_t* tickets[device_batches_in_flight];
  work_log log;  ///< of the first slot; those of the others follow
};

/// What its wavefronts share. Its leaves' memory comes after it, and is aligned.
struct alignas(16) small_batch_worker_memory {
  std::uint32_t message[small_batch_message::lines * line::size];
  batch_parameters batch;
  batch_counters counters;
  near_closures closures;
  node_function run;  ///< null: the end
  const void* closure;
};

[[nodiscard]] constexpr std::size_t small_batch_worker_bytes(std::size_t leaf_bytes,
                                                             std::size_t waves) {
  return sizeof(small_batch_worker_memory) + leaf_bytes * waves;
}

/// All its work-items call its functions together, except where it says otherwise.
class small_batch_worker {
 public:
  CHANNELS_GPU_INLINE small_batch_worker(const small_batch_worker_parameters& p,
                                         small_batch_worker_memory& m)
      : p_(p), m_(m), next_(p.first_number) {}

  CHANNELS_GPU_INLINE void run() {
    const std::uint32_t wave = wave_in_group();
    std::byte* const leaves = reinterpret_cast<std::byte*>(&m_ + 1) + wave * p_.leaf_bytes;
    if (wave == 0) begin();
    const std::uint64_t term = of_lane(clock_ns(), 0) + longest_term_ns;
    for (;; ++next_) {
      if (wave == 0) wait_for_batch(term);
      group_barrier();
      if (m_.run == nullptr) return;
      const std::uint64_t began = clock_ns();
      const std::uint32_t waves = (m_.batch.count + wave_width - 1) / wave_width;
      if (wave < waves) {
        const batch_place at{wave, waves, m_.batch.part + wave, leaves};
        m_.run(m_.batch, at, m_.closure);
      }
      group_barrier();
      if (wave == 0) report(began, waves);
    }
  }

 private:
  /// Vendors' frees wait for all kernels. So it leaves when it has had nothing to do for so long,
  /// and, as others may want to free memory all the while, after so long in any case. The host
  /// starts another one when it has work again.
  static constexpr std::uint64_t patience_ns = 1'000'000;
  static constexpr std::uint64_t longest_term_ns = 20'000'000;

  [[nodiscard]] CHANNELS_GPU_INLINE static std::uint64_t long_in(const std::uint32_t* words) {
    return words[0] | std::uint64_t{words[1]} << 32U;
  }
  template <class T>
  [[nodiscard]] CHANNELS_GPU_INLINE static T* pointer_in(const std::uint32_t* words) {
    return reinterpret_cast<T*>(long_in(words));
  }

  // The first wavefront.

  CHANNELS_GPU_INLINE void begin() {
    const batch_counters none{};
    copy_words(&m_.counters, &none, sizeof none / sizeof(std::uint32_t));
    m_.closures.copy(p_.closures);
    if (lane_index() == 0) {
      batch_parameters& b = m_.batch;
      b.log = {};
      b.refuse_share = p_.refuse_share;
      b.tallies = nullptr;
      b.heap = p_.heap;
      b.count_in(m_.counters);
    }
    fence_in_wave();
  }

  CHANNELS_GPU_INLINE void wait_for_batch(std::uint64_t term) {
    const std::uint64_t patience = of_lane(clock_ns(), 0) + patience_ns;
    const std::uint64_t until = patience < term ? patience : term;
    line_copy near[small_batch_message::near_lines];
    for (;;) {
      bool is_there = true;
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < small_batch_message::near_lines; ++i)
        near[i].template read<scope::system, acquire_beside_fence>(p_.lines->message[i]);
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < small_batch_message::near_lines; ++i)
        is_there &= near[i].is_message(next_);
      if (is_there) break;
      // A later message: the host has given this work-group up, and started another one.
      const bool overtaken = static_cast<std::int32_t>(near[0].number() - next_) > 0;
      const std::uint64_t now = of_lane(clock_ns(), 0);
      if (overtaken || now > until) {
        leave();
        return;
      }
      relax();
    }
    // Here and not with each word: the lines are read at the same time, and not one by one.
    acquire_from_system();
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < small_batch_message::near_lines; ++i)
      near[i].copy_to(m_.message + i * line::size);
    fence_in_wave();
    if (long_in(m_.message + small_batch_message::function) == small_batch_message::over) {
      leave();
      return;
    }
    read_rest();
    open();
    fence_in_wave();
  }
  CHANNELS_GPU_INLINE void leave() {
    if (lane_index() != 0) return;
    m_.run = nullptr;
    // Release: the host starts another one, which goes on with what this one has left.
    channels::detail::atomic_store<order::release>(&p_.lines->left, next_);
  }
  /// The other lines of a message, which the host wrote before.
  CHANNELS_GPU_INLINE void read_rest() {
    const std::uint32_t words = small_batch_message::words(m_.message[small_batch_message::outputs],
                                                           m_.message[small_batch_message::runs]);
    for (std::uint32_t i = small_batch_message::near_lines; i * line::size < words; ++i) {
      line_copy rest;
      do {
        rest.template read<scope::system>(p_.lines->message[i]);
      } while (!rest.is_message(next_));
      rest.copy_to(m_.message + i * line::size);
    }
    fence_in_wave();
  }

  /// Makes a batch of the message.
  CHANNELS_GPU_INLINE void open() {
    using word = small_batch_message::word;
    const std::uint32_t* const m = m_.message;
    batch_parameters& b = m_.batch;
    const std::uint32_t outputs = m[word::outputs];
    const std::uint32_t* const windows = m + word::head;
    for (std::uint32_t i = lane_index(); i < outputs; i += wave_width) {
      const std::uint32_t* const w = windows + small_batch_message::window_words * i;
      b.outputs[i] = {pointer_in<std::byte>(w + small_batch_message::window_data),
                      long_in(w + small_batch_message::window_first),
                      w[small_batch_message::window_count], w[small_batch_message::window_mask],
                      w[small_batch_message::window_channel]};
    }
    if (lane_index() != 0) return;
    const std::uint32_t slot = m[word::slot];
    const std::uint32_t runs = m[word::runs];
    b.source = pointer_in<std::byte>(m + word::source);
    b.source_mask = m[word::source_mask];
    b.source_channel = m[word::source_channel];
    b.count = m[word::elements];
    b.level = m[word::level];
    b.seed = m[word::seed];
    b.part = m[word::part];
    b.node = m[word::node];
    b.grants = m[word::grants];
    b.tickets = m[word::takes_tickets] != 0 ? p_.tickets[slot] : nullptr;
    b.remarks = p_.remarks[slot];
    b.more_remarks = pointer_in<remark>(m + word::more_remarks);
    b.run_count = runs;
    const std::uint32_t* const first_run = windows + small_batch_message::window_words * outputs;
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < runs; ++i) {
      const std::uint32_t* const r = first_run + small_batch_message::run_words * i;
      b.first[i] = long_in(r + small_batch_message::run_first);
      b.before[i] = before;
      before += r[small_batch_message::run_count];
    }
    m_.run = reinterpret_cast<node_function>(long_in(m + word::function));
    m_.closure = m_.closures.of(p_.closures, pointer_in<const void>(m + word::closure));
  }

  /// When all have ended.
  CHANNELS_GPU_INLINE void report(std::uint64_t began, std::uint32_t waves) {
    const std::uint64_t ended = clock_ns();
    if (lane_index() == 0) {
      std::uint32_t* const m = m_.message;
      if (p_.log.entries != nullptr) {
        const std::size_t ring = std::size_t{m[small_batch_message::slot]} * (p_.log.mask + 1);
        p_.log.entries[ring + (m[small_batch_message::log] & p_.log.mask)] =
            work_of(m_.batch, began, ended, waves);
      }
      m[report_released] = load<order::relaxed>(&m_.counters.released);
      m[report_began] = static_cast<std::uint32_t>(began);
      m[report_began + 1] = static_cast<std::uint32_t>(began >> 32U);
      m[report_ended] = static_cast<std::uint32_t>(ended);
      m[report_ended + 1] = static_cast<std::uint32_t>(ended >> 32U);
    }
    fence_in_wave();  // what lane 0 has read is overwritten
    read_counters(m_.batch, m_.message);
    fence_in_wave();
    // What all wavefronts wrote and said, for the host and for whoever runs the next batch.
    release_to_system();
    write_line<scope::system>(p_.lines->report, m_.message, next_);
    fence_in_wave();
  }

  const small_batch_worker_parameters& p_;
  small_batch_worker_memory& m_;
  std::uint32_t next_;  ///< message
};

}  // namespace channels::gpu::detail
