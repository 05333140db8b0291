#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers

#include "channels/config.hpp"

namespace channels::heap {

/// Memory for what tasks allocate on a device, where the program has one memory with the host: what
/// a task allocates the host may free, and the other way round. Blocks come in sizes four to a
/// power of two and go back to a list of their size, lock-free; only `join` joins them. The arena
/// lies at the beginning of its memory, where it has to be 0.
///
/// `Atomics` are the operations of whoever calls: `load`, `add` and `exchange(word, expected,
/// desired)`, all with acquire and release: a block's words are written before it is in a list, and
/// read after it was taken.
struct arena {
  static constexpr std::uint64_t unit = 16;  ///< bytes
  static constexpr unsigned sizes = 160;

  std::uint64_t units;         ///< of the arena, itself included
  std::uint64_t used;          ///< units that were ever taken
  std::uint64_t gave_up;       ///< not 0: whoever asked has waited for too long
  std::uint64_t first[sizes];  ///< free blocks: the unit where one begins, and a count of changes

  /// A block's number of size, and how many units that is, its head included.
  static CHANNELS_DEVICE unsigned size_for(std::uint64_t wanted, std::uint64_t& whole) {
    if (wanted < 4) {
      whole = wanted;
      return static_cast<unsigned>(wanted);
    }
    unsigned log2 = 2;
    while (wanted >> (log2 + 1) != 0) ++log2;
    const std::uint64_t step = std::uint64_t{1} << (log2 - 2);
    const std::uint64_t steps = (wanted + step - 1) / step;  // 4 to 8
    whole = steps * step;
    return 4 * (log2 - 1) + static_cast<unsigned>(steps - 4);
  }

  /// Null if there is no room. Aligned to 16 bytes.
  template <class Atomics>
  CHANNELS_DEVICE void* take(std::uint64_t bytes) {
    if (bytes > units * unit) return nullptr;
    std::uint64_t whole = 0;
    const unsigned size = size_for((bytes + unit - 1) / unit + 1 + (bytes == 0 ? 1 : 0), whole);
    if (const std::uint64_t free = take_free<Atomics>(size)) return begin_block(free, size, whole);
    if (Atomics::load(&used) + whole > units - own_units()) return nullptr;
    const std::uint64_t place = own_units() + Atomics::add(&used, whole);
    if (place + whole <= units) return begin_block(place, size, whole);
    // As long as this is counted nobody finds room, so what is taken back lies at the end.
    Atomics::add(&used, std::uint64_t{0} - whole);
    return nullptr;
  }

  /// As `take`, if there is no room: a free block that is larger than it has to be. It keeps its
  /// size.
  template <class Atomics>
  CHANNELS_DEVICE void* take_larger(std::uint64_t bytes) {
    if (bytes > units * unit) return nullptr;
    std::uint64_t whole = 0;
    for (unsigned size = size_for((bytes + unit - 1) / unit + 2, whole); size < sizes; ++size) {
      if (const std::uint64_t free = take_free<Atomics>(size)) return word_at(free + 1);
    }
    return nullptr;
  }
  /// The first place in a block that is a multiple of `alignment`, a power of two above 16. The
  /// block has so many bytes to spare. What gets the place finds the block.
  [[nodiscard]] CHANNELS_DEVICE void* aligned(void* block, std::uint64_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    const std::uint64_t distance = (alignment - address % alignment) % alignment;
    if (distance == 0) return block;
    char* const at = static_cast<char*>(block) + distance;
    *reinterpret_cast<std::uint64_t*>(at - unit) = (distance / unit << 8U) | moved;
    return at;
  }

  /// A number that changes when a block is taken from a list or goes back to one.
  template <class Atomics>
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t changes() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t& head : first) sum += Atomics::load(&head);
    return sum;
  }

  template <class Atomics>
  CHANNELS_DEVICE void give_back(void* block) {
    const std::uint64_t place = place_of(block);
    const auto size = static_cast<unsigned>(*word_at(place) & 255U);
    std::uint64_t head = Atomics::load(&first[size]);
    for (;;) {
      *link_of(place) = place_in(head);
      const std::uint64_t now = (head & ~places) + (places + 1) + place;
      if (Atomics::exchange(&first[size], head, now)) return;
      head = Atomics::load(&first[size]);
    }
  }

  /// Whether a block is one of this arena's.
  [[nodiscard]] CHANNELS_DEVICE bool holds(const void* block) const {
    const auto distance = static_cast<const char*>(block) - reinterpret_cast<const char*>(this);
    return distance >= 0 && static_cast<std::uint64_t>(distance) < units * unit;
  }

  /// Joins free blocks that are neighbours; those at the end were never taken then. For whoever has
  /// the arena to himself.
  CHANNELS_DEVICE void join() {
    for (std::uint64_t& head : first) {
      for (std::uint64_t place = place_in(head); place != 0; place = *link_of(place))
        *word_at(place) |= is_free;
      head &= ~places;
    }
    const std::uint64_t end = own_units() + used;
    std::uint64_t free_from = own_units();
    for (std::uint64_t place = free_from; place < end;) {
      const std::uint64_t head = *word_at(place);
      const std::uint64_t next = place + ((head & ~is_free) >> 8U);
      if ((head & is_free) == 0) {
        add_free(free_from, place);
        free_from = next;
      }
      place = next;
    }
    used = free_from - own_units();
  }

  /// Bytes that a block has.
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t size_of(void* block) {
    const std::uint64_t place = place_of(block);
    const auto end = reinterpret_cast<char*>(word_at(place + (*word_at(place) >> 8U)));
    return static_cast<std::uint64_t>(end - static_cast<char*>(block));
  }

 private:
  /// The lower bits of a list's word.
  static constexpr std::uint64_t places = (std::uint64_t{1} << 36U) - 1;

  /// In the place of a size, in front of an aligned place: the head is so many units before it.
  static constexpr std::uint64_t moved = 255;
  static_assert(sizes < moved);

  /// In a block's head, while `join` is at it.
  static constexpr std::uint64_t is_free = std::uint64_t{1} << 63U;

  /// Makes blocks of what is from one unit to another, large ones first.
  CHANNELS_DEVICE void add_free(std::uint64_t from, std::uint64_t to) {
    while (from < to) {
      const std::uint64_t most = to - from;
      std::uint64_t whole = most;
      if (most >= 4) {
        unsigned log2 = 2;
        while (most >> (log2 + 1) != 0) ++log2;
        whole = most >> (log2 - 2) << (log2 - 2);
      }
      const unsigned size = size_for(whole, whole);
      *word_at(from) = (whole << 8U) | size;
      *link_of(from) = place_in(first[size]);
      first[size] = (first[size] & ~places) | from;
      from += whole;
    }
  }

  /// Takes a block from the list of a size: where it is, or 0.
  template <class Atomics>
  CHANNELS_DEVICE std::uint64_t take_free(unsigned size) {
    std::uint64_t head = Atomics::load(&first[size]);
    while (place_in(head) != 0) {
      // Perhaps another has it already and writes to it; then the exchange fails.
      const std::uint64_t next = Atomics::load(link_of(place_in(head)));
      const std::uint64_t now = (head & ~places) + (places + 1) + next;
      if (Atomics::exchange(&first[size], head, now)) return place_in(head);
      head = Atomics::load(&first[size]);
    }
    return 0;
  }

  static CHANNELS_DEVICE std::uint64_t place_in(std::uint64_t head) { return head & places; }
  static CHANNELS_DEVICE std::uint64_t own_units() { return (sizeof(arena) + unit - 1) / unit; }
  CHANNELS_DEVICE std::uint64_t* word_at(std::uint64_t place) {
    return reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(this) + place * unit);
  }
  /// The next free block; behind the head, where the program's bytes were.
  CHANNELS_DEVICE std::uint64_t* link_of(std::uint64_t place) { return word_at(place) + 1; }
  CHANNELS_DEVICE std::uint64_t place_of(void* block) {
    const std::uint64_t before =
        static_cast<std::uint64_t>(static_cast<char*>(block) - reinterpret_cast<char*>(this)) /
            unit -
        1;
    const std::uint64_t word = *word_at(before);
    return (word & 255U) == moved ? before - (word >> 8U) : before;
  }
  CHANNELS_DEVICE void* begin_block(std::uint64_t place, unsigned size, std::uint64_t whole) {
    *word_at(place) = (whole << 8U) | size;
    return word_at(place + 1);
  }
};

}  // namespace channels::heap
