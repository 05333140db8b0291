#pragma once

#include "channels/gpu/resident.hpp"

/// Work-groups that run batches, of an aggregator on the device.
namespace channels::gpu::detail {

/// Of a batch, what is the same for all of a run. One lane.
CHANNELS_GPU_INLINE void prepare_batch(const resident_parameters& p, batch_parameters& b) {
  b.log = {};
  b.refuse_share = p.refuse_share;
  b.tickets = nullptr;
  b.tallies = p.tallies;
  b.heap = p.heap;
  b.grants = 0;
}

// Of a batch, what its channels are.

CHANNELS_GPU_INLINE void set_source(batch_parameters& b, const resident_place& from) {
  b.source = from.data;
  b.source_mask = from.mask;
  b.source_channel = from.id;
  if (b.tallies != nullptr && from.done != nullptr) b.frames = {from.done, from.mask, from.group};
}
CHANNELS_GPU_INLINE void set_output(batch_parameters& b, std::uint32_t output,
                                    const resident_place& to, std::uint64_t first,
                                    std::uint32_t count) {
  b.outputs[output] = {to.data, first, count, to.mask, to.id};
  if (b.tallies != nullptr && to.done != nullptr) b.frames = {to.done, to.mask, to.group};
}
/// What it leaves in `slot`, and the numbers that its lanes draw.
CHANNELS_GPU_INLINE void set_slot(const resident_parameters& p, batch_parameters& b,
                                  std::uint32_t slot, std::uint32_t number) {
  b.seed = p.seed + number * 2246822519U;
  b.remarks = p.remarks[slot];
  b.more_remarks = p.more_remarks[slot];
}

/// A batch as it was announced by `m`. All lanes of a wavefront call it together.
CHANNELS_GPU_INLINE void open_batch(const resident_parameters& p, const std::uint32_t* m,
                                    std::uint32_t number, std::uint32_t outputs,
                                    const resident_place* places, batch_parameters& b) {
  for (std::uint32_t i = lane_index(); i < outputs; i += wave_width) {
    const std::uint32_t* const w = m + announcement::windows + 4 * i;
    if (w[0] == announcement::no_channel) {
      b.outputs[i] = {};
    } else {
      set_output(b, i, places[w[0]], w[2] | std::uint64_t{w[3]} << 32U, w[1]);
    }
  }
  if (lane_index() != 0) return;
  // First all reads: a write between them makes the next one wait.
  const resident_place source = places[m[announcement::source]];
  const std::uint32_t count = m[announcement::elements];
  const std::uint32_t node = m[announcement::node];
  const std::uint32_t level = m[announcement::level];
  const std::uint32_t runs = m[announcement::runs];
  const std::uint32_t budget = m[announcement::budget];
  const std::uint32_t slot = m[announcement::slot];
  channels::run all[announcement::most_runs];
  CHANNELS_GPU_UNROLL
  for (std::uint32_t i = 0; i < announcement::most_runs; ++i) all[i] = announcement::run_in(m, i);
  set_source(b, source);
  set_slot(p, b, slot, number);
  b.count = count;
  b.node = node;
  b.level = level;
  b.run_count = runs;
  std::uint32_t before = 0;
  CHANNELS_GPU_UNROLL
  for (std::uint32_t i = 0; i < announcement::most_runs; ++i) {
    // Beyond the last they mean nothing.
    b.first[i] = all[i].first;
    b.before[i] = before;
    before += all[i].count;
  }
  b.budget = budget;
}

/// What a batch has counted, for the aggregator; the counters are 0 again. All lanes of a wavefront
/// call it together.
CHANNELS_GPU_INLINE void read_counters(const batch_parameters& b, std::uint32_t* report) {
  batch_counters& c = *b.counters;
  for (std::uint32_t i = lane_index(); i < most_outputs; i += wave_width) {
    report[report_word::taken + i] = load<order::relaxed>(b.taken_of(i));
    store<order::relaxed>(b.taken_of(i), 0);
  }
  if (lane_index() == 0) {
    report[report_word::remarks] = load<order::relaxed>(&c.remarks);
    report[report_word::frames] = load<order::relaxed>(&c.frames);
    store<order::relaxed>(&c.remarks, 0);
    store<order::relaxed>(&c.frames, 0);
    store<order::relaxed>(&c.released, 0);
    store<order::relaxed>(&c.waves_done, 0);
  }
}

/// What the wavefronts of a work-group share about the batch that they run. Leaves' memory comes
/// after it, and is aligned.
struct alignas(16) worker_memory {
  std::uint32_t message[announcement::lines * line::size];
  batch_parameters batch;
  batch_counters counters;  ///< of a batch that this group runs alone
  resident_node nodes[most_resident_nodes];
  resident_place places[most_resident_channels];
  near_closures closures;
  resident_function run;  ///< null: the end
  const void* closure;
  std::uint32_t slot;
  std::uint32_t number;  ///< of the announcement
  std::uint32_t groups;
  std::uint32_t group;  ///< of them
};

/// A work-group that runs batches. All its work-items call its functions together, except where it
/// says otherwise.
class resident_worker {
 public:
  CHANNELS_GPU_INLINE resident_worker(const resident_parameters& p, worker_memory& m)
      : p_(p), m_(m), next_(p.first_number) {}

  CHANNELS_GPU_INLINE void run() {
    const std::uint32_t waves = resident_items / wave_width;
    const std::uint32_t wave = wave_in_group();
    const std::uint32_t self = group_index() - 1;
    std::byte* const leaves = reinterpret_cast<std::byte*>(&m_ + 1) + wave * p_.leaf_bytes;
    begin(wave);
    std::uint64_t since = clock_ns();
    std::uint64_t noted = p_.work.entries == nullptr ? 0 : p_.work.counts[self];
    for (;;) {
      if (wave == 0) wait_for_batch(self, group_count() - 1);
      group_barrier();
      if (m_.run == nullptr) {
        if (item_of_group() == 0 && p_.work.entries != nullptr) p_.work.counts[self] = noted;
        return;
      }
      if (item_of_group() == 0) book(since, p_.times + 1);
      const batch_place at{m_.group * waves + wave, m_.groups * waves, self * waves + wave, leaves};
      const std::uint64_t began = since;
      m_.run(m_.batch, at, m_.closure);
      group_barrier();
      if (item_of_group() == 0) book(since, p_.times);
      if (wave != 0) continue;
      unit_work work{};
      if (p_.work.entries != nullptr) work = work_of(m_.batch, began, since, at.waves);
      report();
      // Nobody waits for this.
      if (lane_index() == 0 && p_.work.entries != nullptr) {
        unit_work* const own = p_.work.entries + std::size_t{self} * p_.work.each;
        own[noted++ & (p_.work.each - 1)] = work;
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

  /// The first wavefront.
  CHANNELS_GPU_INLINE void begin(std::uint32_t wave) {
    if (wave != 0) return;
    const batch_counters none{};
    copy_words(&m_.counters, &none, sizeof none / sizeof(std::uint32_t));
    if (lane_index() == 0) prepare_batch(p_, m_.batch);
    fence_in_wave();
  }

  /// The first wavefront: until there is a batch in which this group has a part, or the end.
  CHANNELS_GPU_INLINE void wait_for_batch(std::uint32_t self, std::uint32_t workers) {
    for (;; ++next_) {
      const announcement& a = p_.announcements[next_ % announcement_ring];
      line_copy head;
      bool overtaken = false;
      for (;;) {
        head.read(a.of[0]);
        if (head.is_message(next_)) break;
        // A later one in its place: see `announcement_ring`. Its number may be there before the
        // rest is.
        overtaken = static_cast<std::int32_t>(head.number() - next_) > 0;
        if (overtaken) break;
        relax();
      }
      if (overtaken) continue;
      head.copy_to(m_.message);
      fence_in_wave();
      const std::uint32_t* const m = m_.message;
      if (m[announcement::node] == announcement::over) {
        if (lane_index() == 0) m_.run = nullptr;
        return;
      }
      const std::uint32_t group = (self + workers - m[announcement::first_group]) % workers;
      if (group >= m[announcement::groups]) {
        fence_in_wave();
        continue;
      }
      if (!knows_graph_) learn_graph();
      read_rest(a);
      // Each lane has acquired a word, and all go on from what all know.
      fence_in_wave();
      open(group);
      ++next_;
      return;
    }
  }

  /// With the first batch: before it the kernel of the run before may still be here, with another
  /// graph, and the aggregator's announcement has released the places.
  CHANNELS_GPU_INLINE void learn_graph() {
    fence_in_wave();
    copy_words(m_.nodes, p_.graph->nodes,
               most_resident_nodes * (sizeof(resident_node) / sizeof(std::uint32_t)));
    m_.closures.copy(p_.closures);
    copy_words(m_.places, p_.places,
               p_.channel_count * (sizeof(resident_place) / sizeof(std::uint32_t)));
    fence_in_wave();
    knows_graph_ = true;
  }

  /// The other lines of an announcement. They stay as long as this group has not run its part.
  CHANNELS_GPU_INLINE void read_rest(const announcement& a) {
    const resident_node& node = m_.nodes[m_.message[announcement::node]];
    const std::uint32_t words = announcement::windows + 4 * node.outputs;
    for (std::uint32_t i = 1; i * line::size < words; ++i) {
      line_copy rest;
      do {
        rest.read(a.of[i]);
      } while (!rest.is_message(next_));
      rest.copy_to(m_.message + i * line::size);
    }
    fence_in_wave();
  }

  /// Makes a batch of the announcement.
  CHANNELS_GPU_INLINE void open(std::uint32_t group) {
    const std::uint32_t* const m = m_.message;
    const resident_node& node = m_.nodes[m[announcement::node]];
    const std::uint32_t groups = m[announcement::groups];
    const std::uint32_t slot = m[announcement::slot];
    open_batch(p_, m, next_, node.outputs, m_.places, m_.batch);
    if (lane_index() != 0) return;
    if (groups == 1) {
      m_.batch.count_in(m_.counters);  // nobody else counts with a group that is alone
    } else {
      m_.batch.count_in(p_.counters[slot]);
    }
    m_.run = node.run;
    m_.closure = m_.closures.of(p_.closures, node.closure);
    m_.slot = slot;
    m_.number = next_;
    m_.groups = groups;
    m_.group = group;
  }

  /// The first wavefront, when all have ended. That of the last group tells the aggregator. Who has
  /// given memory back does not matter here: nobody waits for it while the aggregator is on the
  /// device.
  CHANNELS_GPU_INLINE void report() {
    // What this group wrote comes before its count, for whoever runs the next batch. For the host,
    // which may read remarks, the aggregator releases it.
    batch_counters& c = *m_.batch.counters;
    if (m_.groups != 1) {
      release_to_device();
      std::uint32_t before = 0;
      if (lane_index() == 0) before = fetch_add<order_beside_fences>(&c.waves_done, 1U);
      if (of_lane(before, 0) != m_.groups - 1) return;
      acquire_from_device();
    }
    read_counters(m_.batch, m_.message);
    fence_in_wave();
    release_to_device();
    write_line(p_.reports[m_.slot], m_.message, m_.number);
    fence_in_wave();
  }

  const resident_parameters& p_;
  worker_memory& m_;
  std::uint32_t next_;  ///< announcement; of the first wavefront
  bool knows_graph_ = false;
};

}  // namespace channels::gpu::detail
