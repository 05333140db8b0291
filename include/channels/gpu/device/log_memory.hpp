#pragma once

#include <algorithm>  // max, min
#include <array>      // array
#include <bit>        // bit_ceil, bit_floor
#include <cstddef>    // size_t
#include <cstdint>    // fixed-width integers
#include <memory>     // unique_ptr
#include <vector>     // vector

#include "channels/gpu/channels/run_log.hpp"
#include "channels/gpu/port/memory.hpp"

/// The host's side of what kernels note of a traced run (run_log.hpp).
namespace channels::gpu::detail {

/// What is left of `total` entries in a ring of `size`, the oldest first: a piece that begins at
/// `from` and one that begins at the start.
struct ring_pieces {
  ring_pieces(std::uint64_t total, std::uint64_t size) {
    const std::uint64_t kept = std::min(total, size);
    lost = total - kept;
    from = lost & (size - 1);
    to_the_end = std::min(kept, size - from);
    from_the_start = kept - to_the_end;
  }

  /// Appends them, of the ring that lies there.
  template <class T>
  void append(const T* ring, std::vector<T>& to) const {
    to.insert(to.end(), ring + from, ring + from + to_the_end);
    to.insert(to.end(), ring, ring + from_the_start);
  }

  std::uint64_t from;
  std::uint64_t to_the_end;
  std::uint64_t from_the_start;
  std::uint64_t lost;  ///< others had their places
};

/// Memory of the device, made when it is wanted first.
template <class T>
class device_array {
 public:
  /// At least `count`; what there was may be lost.
  T* make(std::size_t count) {
    if (count > count_) {
      memory_.reset();
      memory_ = allocate<T>(sizeof(T) * count, "memory for a trace (CHANNELS_TRACE_EVENTS)");
      count_ = count;
    }
    return memory_.get();
  }
  void zero() {
    if (count_ == 0) return;
    check(CHANNELS_GPU(Memset)(memory_.get(), 0, sizeof(T) * count_), "memory for a trace");
  }
  void read(std::size_t first, std::uint64_t count, std::vector<T>& to) const {
    if (count == 0) return;
    const std::size_t before = to.size();
    to.resize(before + count);
    check(CHANNELS_GPU(Memcpy)(to.data() + before, memory_.get() + first, sizeof(T) * count,
                               CHANNELS_GPU(MemcpyDeviceToHost)),
          "a trace");
  }

 private:
  std::unique_ptr<T, free_memory> memory_;
  std::size_t count_ = 0;
};

/// Pinned memory of the host, through which a trace is taken from the device; made when it is
/// wanted first.
template <class T>
class staged_array {
 public:
  /// At least `count`; what there was may be lost.
  T* make(std::size_t count) {
    if (count > count_) {
      memory_.reset();
      memory_ = allocate_on_host<T>(sizeof(T) * count,
                                    "pinned memory for a trace (CHANNELS_TRACE_EVENTS)");
      count_ = count;
    }
    return memory_.get();
  }
  [[nodiscard]] const T* data() const { return memory_.get(); }

 private:
  std::unique_ptr<T, free_host_memory> memory_;
  std::size_t count_ = 0;
};

/// Rings of what the device aggregator notes, in rows of one memory, so that they are taken
/// from there at once: three copies take longer than all else about them.
class decision_rings {
 public:
  /// `each` entries of each kind, a power of two.
  decision_log make(std::uint32_t each) {
    each_ = each;
    std::byte* const rows = entries_.make(kinds * row_bytes());
    return {reinterpret_cast<device_batch*>(rows),
            reinterpret_cast<device_span*>(rows + row_bytes()),
            reinterpret_cast<device_fill*>(rows + 2 * row_bytes()), each};
  }
  /// What is left of so many.
  void read(const decision_counts& noted, channels::detail::handover_log& to) {
    const auto bytes = [this](std::uint64_t count, std::size_t entry) {
      return static_cast<std::size_t>(std::min<std::uint64_t>(count, each_)) * entry;
    };
    const std::size_t used = std::max({bytes(noted.batches, sizeof(device_batch)),
                                       bytes(noted.decisions, sizeof(device_span)),
                                       bytes(noted.fills, sizeof(device_fill))});
    if (used == 0) return;
    check(CHANNELS_GPU(Memcpy2D)(staged_.make(kinds * row_bytes()), used, entries_.make(0),
                                 row_bytes(), used, kinds, CHANNELS_GPU(MemcpyDeviceToHost)),
          "a trace");
    to.dropped = append(0 * used, noted.batches, to.batches) +
                 append(1 * used, noted.decisions, to.decisions) +
                 append(2 * used, noted.fills, to.fills);
  }

 private:
  static constexpr std::size_t kinds = 3;

  [[nodiscard]] std::size_t row_bytes() const {
    return each_ * std::max({sizeof(device_batch), sizeof(device_span), sizeof(device_fill)});
  }
  /// Returns how many others had the places of `total` entries of the ring that was copied to `at`.
  template <class T>
  std::uint64_t append(std::size_t at, std::uint64_t total, std::vector<T>& to) const {
    const ring_pieces left(total, each_);
    left.append(reinterpret_cast<const T*>(staged_.data() + at), to);
    return left.lost;
  }

  device_array<std::byte> entries_;
  staged_array<std::byte> staged_;
  std::uint32_t each_ = 0;
};

/// Rings of what work-groups note. A run's are read while the next one writes to others: some ten
/// megabytes are copied at once, through pinned memory (one ring after the other takes some
/// milliseconds), and go from there to where they are kept, which takes six times as long.
class unit_rings {
 public:
  /// For a run: `count` rings of `each` entries.
  unit_work* make(std::size_t count, std::uint32_t each) {
    count_ = count;
    each_ = each;
    stream_.make();
    return entries_[noting_].make(count * each);
  }
  [[nodiscard]] unit_work* data() { return entries_[noting_].make(0); }
  [[nodiscard]] std::uint32_t each() const { return each_; }

  /// What is left of so many entries of each ring; all of that has been written. What was taken
  /// before has been read.
  channels::detail::noted_work take(std::vector<std::uint64_t> totals) {
    channels::detail::noted_work all;
    std::uint64_t most = 0;
    for (const std::uint64_t total : totals) {
      const std::uint64_t kept = std::min<std::uint64_t>(total, each_);
      all.kept += kept;
      all.dropped += total - kept;
      most = std::max(most, kept);
    }
    taken_ = {};
    if (all.kept == 0) return all;
    taken_ = {data(), staged_.make(count_ * each_), std::move(totals), each_, most};
    noting_ = 1 - noting_;
    return all;
  }
  /// Appends it. Another thread may, while the next run goes on.
  void read(std::vector<unit_work>& to) const {
    const taken& t = taken_;
    if (t.most == 0) return;
    // In each ring, what was not written lies behind the rest.
    const std::size_t used = t.most * sizeof(unit_work);
    check(CHANNELS_GPU(Memcpy2DAsync)(t.staged, used, t.rings, t.each * sizeof(unit_work), used,
                                      t.totals.size(), CHANNELS_GPU(MemcpyDeviceToHost),
                                      stream_.handle()),
          "a trace");
    stream_.wait("a trace");
    for (std::size_t i = 0; i < t.totals.size(); ++i) {
      ring_pieces(t.totals[i], t.each).append(t.staged + i * t.most, to);
    }
  }

 private:
  /// What is to be read, and where to.
  struct taken {
    const unit_work* rings = nullptr;
    unit_work* staged = nullptr;
    std::vector<std::uint64_t> totals;  ///< entries of each ring, with those that are lost
    std::uint32_t each = 0;
    std::uint64_t most = 0;  ///< entries of a ring
  };

  std::array<device_array<unit_work>, 2> entries_;
  std::size_t noting_ = 0;  ///< of these, the run's
  staged_array<unit_work> staged_;
  own_stream stream_;
  taken taken_;
  std::size_t count_ = 0;
  std::uint32_t each_ = 0;
};

/// Where batches that are handed over one by one are noted. Each slot of batches in flight has a
/// ring: of those that share one, the next begins when the one before has ended. (In one ring for
/// all, a slow batch would write where batches write that overtook it by a lap.)
class launched_work {
 public:
  /// For a run whose batches have up to `most_groups` work-groups, one in each of `slots` at a
  /// time; `wanted` entries for each, 0 if it is not traced.
  void begin(std::uint32_t wanted, unsigned most_groups, unsigned slots) {
    size_ = wanted == 0 ? 0 : std::bit_ceil(std::max(wanted, most_groups));
    next_.assign(slots, 0);
    if (size_ != 0) (void)rings_.make(slots, size_);
  }
  /// For the next batch of that slot.
  work_log place(unsigned slot, unsigned groups) {
    work_log at = ring(slot);
    at.first = static_cast<std::uint32_t>(next_[slot]);
    next_[slot] += groups;
    return at;
  }
  /// The ring of `slot`. The rings of the following slots follow it in memory.
  [[nodiscard]] work_log ring(unsigned slot) {
    if (size_ == 0) return {};
    return {rings_.data() + std::size_t{slot} * size_, size_ - 1, 0};
  }
  channels::detail::noted_work take() {
    return rings_.take(size_ != 0 ? next_ : std::vector<std::uint64_t>());
  }
  void read(std::vector<unit_work>& to) const { rings_.read(to); }

 private:
  unit_rings rings_;
  std::uint32_t size_ = 0;           ///< of a ring
  std::vector<std::uint64_t> next_;  ///< by slot
};

/// Where a persistent kernel notes what it does.
class persistent_work {
 public:
  void begin(std::uint32_t wanted) {
    each_ = std::bit_floor(wanted);
    groups_ = 0;
  }
  /// For the next of the run's kernels; all have `groups` work-groups that run batches.
  void place(unsigned groups, persistent_work_log& work, decision_log& decisions) {
    if (each_ == 0) return;
    if (groups_ == 0) {
      groups_ = groups;
      (void)rings_.make(groups, std::bit_ceil(std::max(each_ * 4 / groups, least_of_group)));
      (void)counts_.make(groups);
      counts_.zero();
    }
    if (groups <= groups_) {
      work = {rings_.data(), counts_.make(0), rings_.each()};
    }
    decisions = decisions_.make(each_);
  }
  /// Reads the device aggregator's notes, after it has left.
  void read(const decision_counts& noted, channels::detail::handover_log& to) {
    decisions_.read(noted, to);
  }
  [[nodiscard]] bool wanted() const { return each_ != 0; }
  /// Takes the work-groups' notes, after all of them have left.
  channels::detail::noted_work take() {
    std::vector<std::uint64_t> counts;
    if (groups_ != 0) counts_.read(0, groups_, counts);
    return rings_.take(std::move(counts));
  }
  void read(std::vector<unit_work>& to) const { rings_.read(to); }

 private:
  static constexpr std::uint32_t least_of_group = 64;

  unit_rings rings_;
  device_array<std::uint64_t> counts_;
  decision_rings decisions_;
  std::uint32_t each_ = 0;
  unsigned groups_ = 0;
};

}  // namespace channels::gpu::detail
