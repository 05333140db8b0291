#pragma once

#include "channels/gpu/channels/device_aggregator_parameters.hpp"

/// A channel as the device aggregator knows it, in the memory of its work-group. One lane changes
/// it. A word takes it some thirty cycles, and no compiler moves a read before a write that might
/// be to the same place; so functions read first what they want, and write last.
namespace channels::gpu::detail {

/// Pieces of a channel. Tickets by their lower halves: all that live lie within one capacity.
struct ledger_piece {
  std::uint32_t first;
  std::uint32_t count;
};

struct ledger_channel {
  /// Pieces of each kind. A batch that could leave more waits for others to end. One that leaves
  /// more all the same is left to the host.
  static constexpr std::uint32_t most_pieces = 16;

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
  std::uint16_t freed;  ///< pieces that are done while something before them is not
  ledger_piece run[most_pieces];
  ledger_piece done[most_pieces];

  // For frames of the counted rule, `run` has all that were ever written and are not free; done
  // counts by group, outside of the ledger, say what is done. `freed`: a count has changed since
  // they were last read.
  std::uint32_t counted;
  std::uint32_t told;     ///< frames that became ready
  std::uint32_t resumed;  ///< of those

  // What the graph says, at hand: which node consumes its elements, and where that node writes.
  static constexpr std::uint32_t most_targets = 4;
  std::uint16_t consumer;
  std::uint16_t first_output;
  std::uint16_t outputs;
  std::uint16_t frames;
  std::uint16_t target[most_targets];  ///< channel, by output; `ledger::nowhere`: none
  std::uint32_t windows;  ///< of batches in flight: each may leave a run, and a piece behind it
  std::uint32_t going;    ///< runs that batches in flight consume: each may leave a piece
  std::uint32_t pad[1];   ///< lanes that look at a channel each use different banks

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t live() const {
    return head == tail ? 0 : static_cast<std::uint32_t>(tail - (head & ~std::uint64_t{group - 1}));
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t free() const { return capacity - live(); }
  /// Whether there is place for what one more batch would leave here that has a window, or takes
  /// `more_runs` runs, whatever those in flight leave.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_place_for_window() const {
    return runs + windows < handover_channel::most_runs && freed + windows + going < most_pieces;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_place_to_take(std::uint32_t more_runs) const {
    return freed + windows + going + more_runs <= most_pieces;
  }
  /// A ticket of which the lower half is `low`.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t ticket(std::uint32_t low) const {
    return tail - (static_cast<std::uint32_t>(tail) - low);
  }

  CHANNELS_GPU_INLINE void begin(const handover_channel& from) {
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
    windows = going = 0;
    counted = from.counted;
    told = from.ready_frames;
    resumed = 0;
    if (counted) {
      head = from.head;
      keep(head, static_cast<std::uint32_t>(tail - head));
      return;
    }
    head = tail;
    // They come in the order of their tickets; what is between them is free.
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
  /// Writes down what the channel holds, for the host.
  CHANNELS_GPU_INLINE void end(handover_channel& to) const {
    to.tail = tail;
    to.most_live = most_live;
    to.head = head;
    to.ready_frames = told - resumed;
    to.run_count = counted ? 0 : runs;
    if (counted) return;
    for (std::uint32_t i = 0; i < runs; ++i) to.runs[i] = {ticket(run[i].first), run[i].count};
  }

  CHANNELS_GPU_INLINE void enqueue(std::uint64_t first, std::uint32_t count, std::uint32_t now) {
    if (count == 0) return;
    const std::uint32_t before = ready;
    const std::uint16_t at = runs;
    const auto low = static_cast<std::uint32_t>(first);
    const ledger_piece last = at == 0 ? ledger_piece{low + 1, 0} : run[at - 1];
    const bool goes_on = last.first + last.count == low;
    if (before == 0) arrival = now;
    ready = before + count;
    if (goes_on) {
      run[at - 1].count = last.count + count;
    } else {
      run[at] = {low, count};
      runs = static_cast<std::uint16_t>(at + 1);
    }
  }

  /// Frames of the counted rule are there, before the tail.
  CHANNELS_GPU_INLINE void keep(std::uint64_t first, std::uint32_t count) {
    if (count == 0) return;
    ledger_piece now{static_cast<std::uint32_t>(first), count};
    for (std::uint32_t i = 0; i < runs;) {
      const ledger_piece r = run[i];
      if (r.first + r.count != now.first && now.first + now.count != r.first) {
        ++i;
        continue;
      }
      now = {r.first + r.count == now.first ? r.first : now.first, r.count + now.count};
      run[i] = run[--runs];
      i = 0;
    }
    run[runs++] = now;
  }
  /// All before `ticket` is free.
  CHANNELS_GPU_INLINE void free_up_to(std::uint64_t until) {
    for (std::uint32_t i = 0; i < runs;) {
      const std::uint64_t first = ticket(run[i].first);
      const std::uint64_t gone = until > first ? until - first : 0;
      if (gone < run[i].count) {
        run[i].first += static_cast<std::uint32_t>(gone);
        run[i].count -= static_cast<std::uint32_t>(gone);
        ++i;
      } else {
        run[i] = run[--runs];
      }
    }
    head = until;
  }
  /// Where a batch has to look for ready frames: everywhere. As `take`, but nothing is taken.
  template <class Put>
  CHANNELS_GPU_INLINE std::uint32_t look_through(std::uint32_t most_runs, const Put& put) const {
    std::uint32_t all = 0;
    for (std::uint32_t i = 0; i < runs && i < most_runs; ++i) {
      put(i, channels::run{ticket(run[i].first), run[i].count});
      all += run[i].count;
    }
    return all;
  }
  /// Keeps the first `taken` of the `count` frames of a window, by the counted rule, and gives the
  /// rest back. Returns how many of the rest are to be counted as done instead, since others were
  /// reserved after them.
  CHANNELS_GPU_INLINE std::uint32_t keep_window(std::uint64_t first, std::uint32_t taken,
                                                std::uint32_t count) {
    if (first + count == tail) {
      tail = first + taken;
      keep(first, taken);
      return 0;
    }
    keep(first, count);
    return count - taken;
  }

  /// Takes up to `most` elements as up to `most_runs` runs, for each of which it calls `put` with
  /// its number and the run; returns how many elements.
  template <class Put>
  CHANNELS_GPU_INLINE std::uint32_t take(std::uint32_t most_runs, std::uint32_t most,
                                         const Put& put) {
    const std::uint32_t all_runs = runs;
    const std::uint32_t before = ready;
    const std::uint64_t end = tail;
    std::uint32_t taken = 0;
    std::uint32_t used_up = 0;
    std::uint32_t taken_runs = 0;
    while (taken_runs < most_runs && taken < most && used_up < all_runs) {
      const ledger_piece r = run[used_up];
      const std::uint32_t count = r.count < most - taken ? r.count : most - taken;
      const std::uint64_t ticket_of_first = end - (static_cast<std::uint32_t>(end) - r.first);
      put(taken_runs++, channels::run{ticket_of_first, count});
      taken += count;
      if (r.count == count) {
        ++used_up;
      } else {
        run[used_up] = {r.first + count, r.count - count};
      }
    }
    if (used_up != 0) {
      for (std::uint32_t i = used_up; i < all_runs; ++i) run[i - used_up] = run[i];
      runs = static_cast<std::uint16_t>(all_runs - used_up);
    }
    ready = before - taken;
    return taken;
  }

  CHANNELS_GPU_INLINE std::uint64_t reserve(std::uint32_t count) {
    std::uint64_t oldest = head;
    std::uint64_t first = tail;
    const std::uint64_t within = group - 1;
    const std::uint32_t most = most_live;
    // The rest of a group that is all done is skipped, as on the host.
    if (oldest == first) oldest = first = (first + within) & ~within;
    const std::uint64_t end = first + count;
    const auto now = oldest == end ? 0U : static_cast<std::uint32_t>(end - (oldest & ~within));
    head = oldest;
    tail = end;
    if (most < now) most_live = now;
    return first;
  }
  /// Gives back what a window that began at `first` has behind `taken` of its `count` elements.
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
    std::uint64_t oldest = first + count;
    std::uint32_t left = freed;
    for (std::uint32_t i = 0; i < left;) {
      const ledger_piece d = done[i];
      if (d.first != static_cast<std::uint32_t>(oldest)) {
        ++i;
        continue;
      }
      oldest += d.count;
      done[i] = done[--left];
      i = 0;
    }
    head = oldest;
    freed = static_cast<std::uint16_t>(left);
  }
};

static_assert(sizeof(ledger_channel) / 8 % 2 == 1);

}  // namespace channels::gpu::detail
