#pragma once

#include "channels/gpu/resident.hpp"

/// What an aggregator on the device knows of channels and batches, in the memory of its work-group.
/// One lane changes it.
namespace channels::gpu::detail {

/// Pieces of a channel. Tickets by their lower halves: all that live lie within one capacity.
struct ledger_piece {
  std::uint32_t first;
  std::uint32_t count;
};

struct ledger_channel {
  /// Of each kind: who finds no room for one more leaves the batch to the host.
  static constexpr std::uint32_t most_pieces = 12;

  std::uint64_t tail;   ///< the next ticket
  std::uint64_t head;   ///< the oldest that is not free
  std::uint64_t asked;  ///< elements that the host has tried to make room for
  std::uint32_t capacity;
  std::uint32_t group;  ///< space becomes free by so many elements
  std::uint32_t most_live;
  std::uint32_t level;
  std::uint32_t ready;      ///< elements
  std::uint32_t eligible;   ///< of those, frames whose children have finished
  std::uint32_t arrival;    ///< when its oldest ready element came
  std::uint32_t in_flight;  ///< batches of its elements
  std::uint16_t stack;
  std::uint16_t current;
  std::uint16_t runs;   ///< of ready elements, oldest first
  std::uint16_t freed;  ///< done, but something before it is not
  ledger_piece run[most_pieces];
  ledger_piece done[most_pieces];

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t live() const {
    return head == tail ? 0 : static_cast<std::uint32_t>(tail - (head & ~std::uint64_t{group - 1}));
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t free() const { return capacity - live(); }
  /// A ticket of which the lower half is `low`.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t ticket(std::uint32_t low) const {
    return tail - (static_cast<std::uint32_t>(tail) - low);
  }

  CHANNELS_GPU_INLINE void begin(const settled_channel& from) {
    tail = from.tail;
    asked = from.asked;
    capacity = from.capacity;
    group = from.done_group;
    most_live = static_cast<std::uint32_t>(from.most_live);
    level = from.level;
    stack = static_cast<std::uint16_t>(from.stack);
    current = static_cast<std::uint16_t>(from.current);
    ready = eligible = arrival = in_flight = 0;
    runs = freed = 0;
    head = tail;
    for (std::uint32_t i = 0; i < from.run_count; ++i) {
      const channels::run r = from.runs[i];
      if (i == 0) {
        head = r.first;
      } else {
        const std::uint64_t before = from.runs[i - 1].end();
        free_piece(before, static_cast<std::uint32_t>(r.first - before));
      }
      enqueue(r.first, r.count, 0);
    }
    if (from.run_count != 0) {
      const std::uint64_t last = from.runs[from.run_count - 1].end();
      free_piece(last, static_cast<std::uint32_t>(tail - last));
    }
  }
  /// What there is of it, for the host.
  CHANNELS_GPU_INLINE void end(settled_channel& to) const {
    to.tail = tail;
    to.most_live = most_live;
    to.run_count = runs;
    for (std::uint32_t i = 0; i < runs; ++i) to.runs[i] = {ticket(run[i].first), run[i].count};
  }

  CHANNELS_GPU_INLINE void enqueue(std::uint64_t first, std::uint32_t count, std::uint32_t now) {
    if (count == 0) return;
    if (ready == 0) arrival = now;
    ready += count;
    const auto low = static_cast<std::uint32_t>(first);
    if (runs != 0 && run[runs - 1].first + run[runs - 1].count == low) {
      run[runs - 1].count += count;
    } else {
      run[runs++] = {low, count};
    }
  }

  /// Takes up to `most` elements as up to `most_runs` runs of `into`, which counts them in
  /// `taken_runs`; returns how many elements.
  CHANNELS_GPU_INLINE std::uint32_t take(channels::run* into, std::uint32_t most_runs,
                                         std::uint32_t most, std::uint32_t& taken_runs) {
    std::uint32_t taken = 0;
    std::uint32_t used_up = 0;
    taken_runs = 0;
    while (taken_runs < most_runs && taken < most && used_up < runs) {
      ledger_piece& r = run[used_up];
      const std::uint32_t count = r.count < most - taken ? r.count : most - taken;
      into[taken_runs++] = {ticket(r.first), count};
      r.first += count;
      r.count -= count;
      taken += count;
      if (r.count == 0) ++used_up;
    }
    for (std::uint32_t i = used_up; i < runs; ++i) run[i - used_up] = run[i];
    runs = static_cast<std::uint16_t>(runs - used_up);
    ready -= taken;
    return taken;
  }

  CHANNELS_GPU_INLINE std::uint64_t reserve(std::uint32_t count) {
    // The rest of a group that is all done is skipped, as on the host.
    if (head == tail) head = tail = (tail + group - 1) & ~std::uint64_t{group - 1};
    const std::uint64_t first = tail;
    tail += count;
    most_live = most_live < live() ? live() : most_live;
    return first;
  }
  /// Of a window that began at `first`, what is behind `taken` of `count` elements.
  CHANNELS_GPU_INLINE void give_back(std::uint64_t first, std::uint32_t taken,
                                     std::uint32_t count) {
    if (first + count == tail) {
      tail = first + taken;
    } else {
      free_piece(first + taken, count - taken);
    }
  }

  /// Elements are done.
  CHANNELS_GPU_INLINE void free_piece(std::uint64_t first, std::uint32_t count) {
    if (count == 0) return;
    if (first != head) {
      const auto low = static_cast<std::uint32_t>(first);
      for (std::uint32_t i = 0; i < freed; ++i) {
        ledger_piece& d = done[i];
        if (d.first + d.count == low) {
          d.count += count;
          return;
        }
        if (low + count == d.first) {
          d.first = low;
          d.count += count;
          return;
        }
      }
      done[freed++] = {low, count};
      return;
    }
    head += count;
    for (std::uint32_t i = 0; i < freed;) {
      if (done[i].first != static_cast<std::uint32_t>(head)) {
        ++i;
        continue;
      }
      head += done[i].count;
      done[i] = done[--freed];
      i = 0;
    }
  }
};

/// A batch on its way.
struct ledger_flight {
  static constexpr std::uint32_t no_channel = ~std::uint32_t{0};

  bool busy;
  bool left;  ///< it has ended, and the host has to make sense of that
  std::uint32_t node;
  std::uint32_t source;
  std::uint32_t count;
  std::uint32_t number;
  std::uint32_t run_count;
  std::uint32_t outputs;
  std::uint64_t start;  ///< if batches are noted
  std::uint64_t end;
  channels::run runs[announcement::most_runs];
  struct {
    std::uint64_t first;
    std::uint32_t channel;
    std::uint32_t count;
  } windows[most_outputs];
};

struct ledger {
  static constexpr std::uint16_t nowhere = 0xffff;

  resident_graph graph;
  ledger_channel channels[most_resident_channels];
  std::uint16_t places[most_resident_places];  ///< channel, by level from the least on and stack
  ledger_flight flights[resident_in_flight];
  std::uint64_t node_batches[most_resident_nodes];
  std::uint64_t node_elements[most_resident_nodes];
  std::uint32_t message[announcement::lines * line::size];
};

}  // namespace channels::gpu::detail
