#pragma once

#include "channels/gpu/channels/batch_worker.hpp"
#include "channels/gpu/tuning.hpp"

/// The small-batch worker: a work-group that stays and runs small batches of the host's aggregator,
/// because to start a kernel and to learn of its end takes longer than such a batch. Messages go
/// through pinned memory, as lines (message_line.hpp), so that each way costs one trip over the
/// bus. The host's side is device/small_batch_worker_run.hpp.
namespace channels::gpu::detail {

/// What the host tells the small-batch worker of a batch. Its parts are where `batch_words` says;
/// the head has these words besides the common ones.
struct small_batch_message {
  /// The lines that the host always writes and the work-group reads at once; mostly they are
  /// enough.
  static constexpr std::uint32_t first_lines = 2;
  enum word : std::uint32_t {
    function = batch_head::own,
    closure = function + 2,
    source = closure + 2,
    more_remarks = source + 2,
    source_mask = more_remarks + 2,
    source_channel,
    seed,
    part,
    outputs,
    takes_tickets,  ///< 1: the elements' tickets are in the slot, and there are no runs
    grants,
    log,
    head
  };
  using words = batch_words<whole_window, head>;
  static constexpr std::uint32_t lines =
      (words::size(batch::most_runs, most_outputs) + line::size - 1) / line::size;

  /// The host: writes the batch that `b` describes, in slot `slot`, with `output_count` outputs,
  /// for a kernel node with this code and closure. Returns the number of words.
  static std::uint32_t write(std::uint32_t* m, const batch_parameters& b, std::uint32_t slot,
                             std::uint32_t output_count, node_function code, const void* with) {
    m[batch_head::node] = b.node;
    m[batch_head::level] = b.level;
    m[batch_head::elements] = b.count;
    m[batch_head::runs] = b.run_count;
    m[batch_head::slot] = slot;
    write_long(m + function, reinterpret_cast<std::uintptr_t>(code));
    write_pointer(m + closure, with);
    write_pointer(m + source, b.source);
    write_pointer(m + more_remarks, b.more_remarks);
    m[source_mask] = b.source_mask;
    m[source_channel] = b.source_channel;
    m[seed] = b.seed;
    m[part] = b.part;
    m[outputs] = output_count;
    m[takes_tickets] = b.tickets != nullptr ? 1 : 0;
    m[grants] = b.grants;
    m[log] = b.log.first;
    for (std::uint32_t i = 0; i < b.run_count; ++i) {
      const std::uint32_t end = i + 1 < b.run_count ? b.before[i + 1] : b.count;
      words::write_run(m, i, {b.first[i], end - b.before[i]});
    }
    for (std::uint32_t i = 0; i < output_count; ++i)
      words::write_window(m, b.run_count, i, {b.outputs[i]});
    return words::size(b.run_count, output_count);
  }
  /// Reads windows `first`, `first + step` and so on. Each lane of a wavefront reads its own.
  CHANNELS_INLINE CHANNELS_DEVICE static void read_windows(const std::uint32_t* m,
                                                           std::uint32_t first, std::uint32_t step,
                                                           batch_parameters& b) {
    for (std::uint32_t i = first; i < m[outputs]; i += step)
      b.outputs[i] = words::read_window(m, m[batch_head::runs], i).value;
  }
  /// One lane: reads all else of a batch, but for where it leaves remarks and has its tickets.
  CHANNELS_INLINE CHANNELS_DEVICE static void read_rest(const std::uint32_t* m,
                                                        batch_parameters& b) {
    const std::uint32_t run_count = m[batch_head::runs];
    b.source = read_pointer<std::byte>(m + source);
    b.source_mask = m[source_mask];
    b.source_channel = m[source_channel];
    b.count = m[batch_head::elements];
    b.level = m[batch_head::level];
    b.seed = m[seed];
    b.part = m[part];
    b.node = m[batch_head::node];
    b.grants = m[grants];
    b.more_remarks = read_pointer<remark>(m + more_remarks);
    b.run_count = run_count;
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < run_count; ++i) {
      const run r = words::read_run(m, i);
      b.first[i] = r.first;
      b.before[i] = before;
      before += r.count;
    }
  }
};
/// The words of a report to the host, behind those that `report_word` names.
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
  /// The number of the message at which the work-group left.
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
  group_closures closures;
  node_function run;  ///< null: the end
  const void* closure;
};

[[nodiscard]] constexpr std::size_t small_batch_worker_bytes(std::size_t leaf_bytes,
                                                             std::size_t waves) {
  return sizeof(small_batch_worker_memory) + leaf_bytes * waves;
}

/// All its work-items call `run` together; its other functions say who calls them.
class small_batch_worker {
 public:
  CHANNELS_GPU_INLINE small_batch_worker(const small_batch_worker_parameters& p,
                                         small_batch_worker_memory& m)
      : p_(p), m_(m), next_(p.first_number) {}

  CHANNELS_GPU_INLINE void run() {
    const std::uint32_t wave = wave_in_group();
    std::byte* const leaves = reinterpret_cast<std::byte*>(&m_ + 1) + wave * p_.leaf_bytes;
    if (wave == 0) begin();
    const std::uint64_t term = of_lane(clock_ns(), 0) + small_batch_tuning::longest_term_ns;
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
  // All lanes of the first wavefront call these together.

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
    const std::uint64_t patience = of_lane(clock_ns(), 0) + small_batch_tuning::patience_ns;
    const std::uint64_t until = patience < term ? patience : term;
    line_copy near[small_batch_message::first_lines];
    for (;;) {
      bool is_there = true;
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < small_batch_message::first_lines; ++i)
        near[i].template read<scope::system, acquire_beside_fence>(p_.lines->message[i]);
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < small_batch_message::first_lines; ++i)
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
    // One fence here, and no acquire with each word: so the lines are read at the same time.
    acquire_from_system();
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < small_batch_message::first_lines; ++i)
      near[i].copy_to(m_.message + i * line::size);
    fence_in_wave();
    if (m_.message[batch_head::node] == batch_head::over) {
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
  /// Reads the other lines of the message; the host wrote them before.
  CHANNELS_GPU_INLINE void read_rest() {
    const std::uint32_t words = small_batch_message::words::size(
        m_.message[batch_head::runs], m_.message[small_batch_message::outputs]);
    for (std::uint32_t i = small_batch_message::first_lines; i * line::size < words; ++i) {
      line_copy rest;
      do {
        rest.template read<scope::system>(p_.lines->message[i]);
      } while (!rest.is_message(next_));
      rest.copy_to(m_.message + i * line::size);
    }
    fence_in_wave();
  }

  /// All lanes: makes a batch of the message.
  CHANNELS_GPU_INLINE void open() {
    const std::uint32_t* const m = m_.message;
    batch_parameters& b = m_.batch;
    small_batch_message::read_windows(m, lane_index(), wave_width, b);
    if (lane_index() != 0) return;
    const std::uint32_t slot = m[batch_head::slot];
    small_batch_message::read_rest(m, b);
    b.tickets = m[small_batch_message::takes_tickets] != 0 ? p_.tickets[slot] : nullptr;
    b.remarks = p_.remarks[slot];
    m_.run = reinterpret_cast<node_function>(read_long(m + small_batch_message::function));
    m_.closure =
        m_.closures.of(p_.closures, read_pointer<const void>(m + small_batch_message::closure));
  }

  /// Reports to the host when all wavefronts have ended. Release, system.
  CHANNELS_GPU_INLINE void report(std::uint64_t began, std::uint32_t waves) {
    const std::uint64_t ended = clock_ns();
    if (lane_index() == 0) {
      std::uint32_t* const m = m_.message;
      if (p_.log.entries != nullptr) {
        const std::size_t ring = std::size_t{m[batch_head::slot]} * (p_.log.mask + 1);
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
    // What all wavefronts wrote and said, for the host and for the next batch.
    release_to_system();
    write_line<scope::system>(p_.lines->report, m_.message, next_);
    fence_in_wave();
  }

  const small_batch_worker_parameters& p_;
  small_batch_worker_memory& m_;
  std::uint32_t next_;  ///< message
};

}  // namespace channels::gpu::detail
