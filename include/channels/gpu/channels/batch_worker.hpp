#pragma once

#include "channels/gpu/channels/open_batch.hpp"

/// Batch workers: work-groups of the persistent kernel that run batches of the device aggregator.
namespace channels::gpu::detail {

/// What the wavefronts of a work-group share about a batch that they run.
struct worker_batch {
  std::uint32_t message[announcement::lines * line::size];
  batch_parameters batch;
  batch_counters counters;  ///< if this group runs it alone
  node_function run;        ///< null: the end
  const void* closure;
  std::uint32_t slot;
  std::uint32_t number;  ///< of the announcement
  std::uint32_t groups;
  std::uint32_t group;  ///< of them
  std::uint32_t is_there;
};
/// What they share. Leaves' memory comes after it, and is aligned.
struct alignas(16) worker_memory {
  /// In turns: one batch runs, the end of another is reported, and the next is looked for.
  static constexpr std::uint32_t batches = 3;
  worker_batch of[batches];
  device_node nodes[most_graph_nodes];
  channel_address addresses[most_handover_channels];
  group_closures closures;
};

/// A batch worker. All work-items of the work-group call `run`; its other functions say who calls
/// them. Two wavefronts do what a batch takes besides its elements, while the others run elements:
/// the first looks for the next batch before the one at hand has ended, and the last reports the
/// end when the next batch has begun.
class batch_worker {
 public:
  CHANNELS_GPU_INLINE batch_worker(const device_aggregator_parameters& p, worker_memory& m)
      : p_(p), m_(m), next_(p.first_number) {}

  CHANNELS_GPU_INLINE void run() {
    const std::uint32_t waves = persistent_items / wave_width;
    const std::uint32_t wave = wave_in_group();
    const std::uint32_t self = group_index() - 1;
    const bool looks = wave == 0;
    const bool tells = wave == waves - 1;
    std::byte* const leaves = reinterpret_cast<std::byte*>(&m_ + 1) + wave * p_.leaf_bytes;
    if (looks) begin();
    std::uint64_t since = clock_ns();
    std::uint64_t noted = p_.work.entries == nullptr ? 0 : p_.work.counts[self];
    worker_batch* told = nullptr;  // what ended last, if it has not been reported
    bool is_there = false;         // the next one, since before the last one ended
    for (std::uint32_t turn = 0;; turn = (turn + 1) % worker_memory::batches) {
      worker_batch& b = m_.of[turn];
      worker_batch& next = m_.of[(turn + 1) % worker_memory::batches];
      if (!is_there) {
        // Others may wait for its end.
        if (tells && told != nullptr) report(*told);
        told = nullptr;
        if (looks) {
          while (!look(b, self)) relax();
        }
        group_barrier();
      }
      if (b.run == nullptr) {
        if (item_of_group() == 0 && p_.work.entries != nullptr) p_.work.counts[self] = noted;
        return;
      }
      if (item_of_group() == 0) book(since, p_.times + 1);
      if (tells && told != nullptr) {
        report(*told);
        fence_beside_call<2>();
      }
      const batch_place at{b.group * waves + wave, b.groups * waves, self * waves + wave, leaves};
      const std::uint64_t began = since;
      bool found = false;
      if (looks) {
        found = look(next, self);
        fence_beside_call<1>();
      }
      b.run(b.batch, at, b.closure);
      if (looks) {
        fence_beside_call<1>();
        // It may have been announced meanwhile.
        found = found || look(next, self);
        if (lane_index() == 0) next.is_there = found ? 1 : 0;
      }
      group_barrier();
      is_there = next.is_there != 0;
      told = &b;
      if (item_of_group() == 0) book(since, p_.times);
      // Nothing waits for this note.
      if (item_of_group() == 0 && p_.work.entries != nullptr) {
        unit_work* const own = p_.work.entries + std::size_t{self} * p_.work.each;
        own[noted++ & (p_.work.each - 1)] = work_of(b.batch, began, since, at.waves);
      }
    }
  }

 private:
  [[nodiscard]] CHANNELS_GPU_INLINE static std::uint32_t item_of_group() {
    return wave_in_group() * wave_width + lane_index();
  }
  /// Relaxed: sums for the host's tables.
  CHANNELS_GPU_INLINE static void book(std::uint64_t& since, std::uint64_t* to) {
    const std::uint64_t now = clock_ns();
    fetch_add<order::relaxed>(to, now - since);
    since = now;
  }

  // All lanes of the first wavefront call these together.

  CHANNELS_GPU_INLINE void begin() {
    const batch_counters none{};
    for (worker_batch& b : m_.of) {
      copy_words(&b.counters, &none, sizeof none / sizeof(std::uint32_t));
      if (lane_index() == 0) prepare_batch(p_, b.batch);
    }
    fence_in_wave();
  }

  /// Looks for an announcement of a batch in which this group has a part, or of the end. True if
  /// there is one: `b` has it. Acquire, device.
  CHANNELS_GPU_INLINE bool look(worker_batch& b, std::uint32_t self) {
    const std::uint32_t workers = group_count() - 1;
    for (;; ++next_) {
      const announcement& a = p_.announcements[next_ % announcement_ring];
      line_copy head;
      head.read(a.of[0]);
      if (!head.is_message(next_)) {
        // A later announcement is in its place: see `announcement_ring`. Its number may be there
        // before the rest is.
        if (static_cast<std::int32_t>(head.number() - next_) > 0) continue;
        return false;
      }
      head.copy_to(b.message);
      fence_in_wave();
      const std::uint32_t* const m = b.message;
      if (m[batch_head::node] == batch_head::over) {
        if (lane_index() == 0) b.run = nullptr;
        return true;
      }
      const std::uint32_t group = (self + workers - m[announcement::first_group]) % workers;
      if (group >= m[announcement::groups]) {
        fence_in_wave();
        continue;
      }
      if (!knows_graph_) learn_graph();
      read_rest(b, a);
      // Each lane has acquired a word. After the fence all lanes know what each has acquired.
      fence_in_wave();
      open(b, group);
      ++next_;
      return true;
    }
  }

  /// With the first batch, and not before: until then the kernel of the last run may still be here,
  /// with another graph. The announcement has released the addresses.
  CHANNELS_GPU_INLINE void learn_graph() {
    fence_in_wave();
    copy_words(m_.nodes, p_.graph->nodes,
               most_graph_nodes * (sizeof(device_node) / sizeof(std::uint32_t)));
    m_.closures.copy(p_.closures);
    copy_words(m_.addresses, p_.addresses,
               p_.channel_count * (sizeof(channel_address) / sizeof(std::uint32_t)));
    fence_in_wave();
    knows_graph_ = true;
  }

  /// Reads the other lines of an announcement. They stay until this group has run its part.
  CHANNELS_GPU_INLINE void read_rest(worker_batch& b, const announcement& a) {
    const device_node& node = m_.nodes[b.message[batch_head::node]];
    const std::uint32_t words = announcement::size(node.outputs);
    for (std::uint32_t i = 1; i * line::size < words; ++i) {
      line_copy rest;
      do {
        rest.read(a.of[i]);
      } while (!rest.is_message(next_));
      rest.copy_to(b.message + i * line::size);
    }
    fence_in_wave();
  }

  /// Makes a batch of the announcement.
  CHANNELS_GPU_INLINE void open(worker_batch& b, std::uint32_t group) {
    const std::uint32_t* const m = b.message;
    const device_node& node = m_.nodes[m[batch_head::node]];
    const std::uint32_t groups = m[announcement::groups];
    const std::uint32_t slot = m[batch_head::slot];
    open_batch(p_, m, next_, node.outputs, m_.addresses, b.batch);
    if (lane_index() != 0) return;
    if (groups == 1) {
      b.batch.count_in(b.counters);  // a group that runs the batch alone counts alone
    } else {
      b.batch.count_in(p_.counters[slot]);
    }
    b.run = node.run;
    b.closure = m_.closures.of(p_.closures, node.closure);
    b.slot = slot;
    b.number = next_;
    b.groups = groups;
    b.group = group;
  }

  // All lanes of the last wavefront call this together.

  /// When all wavefronts of the group have ended. The last group reports to the aggregator. It does
  /// not say which tasks gave memory back: nothing waits for that while the aggregator is on the
  /// device. Release, device.
  CHANNELS_GPU_INLINE void report(worker_batch& b) {
    // What this group wrote comes before its count, for the group that runs the next batch. The
    // aggregator releases it to the host, which may read remarks.
    batch_counters& c = *b.batch.counters;
    if (b.groups != 1) {
      release_to_device();
      std::uint32_t before = 0;
      if (lane_index() == 0) before = fetch_add<order_beside_fences>(&c.waves_done, 1U);
      if (of_lane(before, 0) != b.groups - 1) return;
      acquire_from_device();
    }
    read_counters(b.batch, b.message);
    fence_in_wave();
    release_to_device();
    write_line(p_.reports[b.slot], b.message, b.number);
    fence_in_wave();
  }

  const device_aggregator_parameters& p_;
  worker_memory& m_;
  std::uint32_t next_;  ///< announcement; of the first wavefront
  bool knows_graph_ = false;
};

}  // namespace channels::gpu::detail
