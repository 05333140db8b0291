#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers

#include "channels/config.hpp"

namespace channels::heap {

/// Memory for what tasks allocate on a device, where the program has one memory with the host: what
/// a task allocates the host may free, and the other way round. Blocks come in sizes four to a
/// power of two and go back to a list of their size, lock-free; only `join` joins them. Small sizes
/// have many lists, because lanes that change one list at once wait for one another: a lane gives
/// back to its own and takes from its own, then looks at two others, then takes new memory, and
/// when there is none looks at all.
///
/// The arena lies at the beginning of its memory, where the first `head_bytes` have to be 0.
///
/// `Atomics` are the operations of whoever calls: `load` with acquire; `peek`, which loads, `add`
/// and `take(word, expected, desired)` relaxed; `give(word, expected, desired)` with release; and
/// `list_of(place)`: which of the lists is the caller's, any number. A block's words are written
/// before `give` puts it in a list, and read after `load` saw it there; `take` only goes on with
/// what `give` began.
struct arena {
  static constexpr std::uint64_t unit = 16;  ///< bytes
  static constexpr unsigned sizes = 160;
  static constexpr unsigned small_sizes = 64;  ///< up to 2 MiB
  static constexpr unsigned most_lists = 1U << 15U;

  std::uint64_t units;      ///< of the arena, itself included
  std::uint64_t list_mask;  ///< small sizes have so many lists and one, a power of two
  std::uint64_t used;       ///< units that were ever taken
  std::uint64_t gave_up;    ///< not 0: whoever asked has waited for too long
  /// Blocks of the host that lanes gave back, for the host to free when no kernel runs: how many
  /// were given, how many there is room for, and where they are. Further ones stay.
  std::uint64_t others;
  std::uint64_t most_others;
  void** blocks_of_others;

  /// How many blocks of others there is room for in an arena of so many bytes.
  static constexpr std::uint64_t others_for(std::uint64_t bytes) {
    constexpr std::uint64_t most = 1U << 16U;
    return bytes / 256 < most ? bytes / 256 : most;
  }

  /// How many lists small sizes have in so many bytes: one for each 256 KiB.
  static constexpr std::uint64_t lists_for(std::uint64_t bytes) {
    std::uint64_t lists = 1;
    while (lists < most_lists && lists * 2 <= bytes >> 18U) lists *= 2;
    return lists;
  }
  /// What has to be 0 at first: this, and behind it the lists, and with several of a size a word
  /// for each size.
  static constexpr std::uint64_t head_bytes(std::uint64_t lists) {
    const std::uint64_t words = lists * small_sizes + sizes - small_sizes + (lists > 1 ? sizes : 0);
    return sizeof(arena) + words * sizeof(std::uint64_t);
  }

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
    if (const std::uint64_t free = take_near<Atomics>(size)) return begin_block(free, size, whole);
    if (Atomics::peek(&used) + whole <= units - own_units()) {
      const std::uint64_t place = own_units() + Atomics::add(&used, whole);
      if (place + whole <= units) return begin_block(place, size, whole);
      // As long as this is counted nobody finds room, so what is taken back lies at the end.
      Atomics::add(&used, std::uint64_t{0} - whole);
    }
    if (const std::uint64_t free = take_any<Atomics>(size)) return begin_block(free, size, whole);
    return nullptr;
  }

  /// As `take`, if there is no room: a free block that is larger than it has to be. It keeps its
  /// size.
  template <class Atomics>
  CHANNELS_DEVICE void* take_larger(std::uint64_t bytes) {
    if (bytes > units * unit) return nullptr;
    std::uint64_t whole = 0;
    for (unsigned size = size_for((bytes + unit - 1) / unit + 2, whole); size < sizes; ++size) {
      if (const std::uint64_t free = take_any<Atomics>(size)) return word_at(free + 1);
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
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t changes() {
    std::uint64_t sum = 0;
    for (unsigned size = 0; size < sizes; ++size) {
      if (list_mask != 0 && Atomics::peek(seen(size)) == 0) continue;
      for (std::uint64_t list = 0; list < lists_of(size); ++list)
        sum += Atomics::load(first_of(size, list));
    }
    return sum;
  }

  template <class Atomics>
  CHANNELS_DEVICE void give_back(void* block) {
    const std::uint64_t place = place_of(block);
    const auto size = static_cast<unsigned>(*word_at(place) & 255U);
    const std::uint64_t list = Atomics::list_of(place) & (lists_of(size) - 1);
    std::uint64_t* const first = first_of(size, list);
    // Once for each size, before the block can be found: who looks at all lists looks here first.
    if (list_mask != 0 && Atomics::peek(seen(size)) == 0) Atomics::take(seen(size), 0, list + 1);
    std::uint64_t head = Atomics::load(first);
    for (;;) {
      *link_of(place) = place_in(head);
      const std::uint64_t now = (head & ~places) + (places + 1) + place;
      if (Atomics::give(first, head, now)) return;
      head = Atomics::load(first);
    }
  }

  /// Keeps a block that is not this arena's for the host. True if it is the first one.
  template <class Atomics>
  CHANNELS_DEVICE bool keep(void* block) {
    if (Atomics::peek(&others) >= most_others) return false;
    const std::uint64_t place = Atomics::add(&others, 1);
    if (place < most_others) blocks_of_others[place] = block;
    return place == 0;
  }

  /// Whether a block is one of this arena's.
  [[nodiscard]] CHANNELS_DEVICE bool holds(const void* block) const {
    const auto distance = static_cast<const char*>(block) - reinterpret_cast<const char*>(this);
    return distance >= 0 && static_cast<std::uint64_t>(distance) < units * unit;
  }

  /// Joins free blocks that are neighbours; those at the end were never taken then. For whoever has
  /// the arena to himself.
  CHANNELS_DEVICE void join() {
    for (unsigned size = 0; size < sizes; ++size) {
      if (list_mask != 0 && *seen(size) == 0) continue;
      for (std::uint64_t list = 0; list < lists_of(size); ++list) {
        std::uint64_t* const head = first_of(size, list);
        for (std::uint64_t place = place_in(*head); place != 0; place = *link_of(place))
          *word_at(place) |= is_free;
        *head &= ~places;
      }
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
      const std::uint64_t list = from & (lists_of(size) - 1);
      std::uint64_t* const first = first_of(size, list);
      *word_at(from) = (whole << 8U) | size;
      *link_of(from) = place_in(*first);
      *first = (*first & ~places) | from;
      if (list_mask != 0) *seen(size) = list + 1;
      from += whole;
    }
  }

  [[nodiscard]] CHANNELS_DEVICE std::uint64_t lists_of(unsigned size) const {
    return size < small_sizes ? list_mask + 1 : 1;
  }
  /// A list's word: the place of its first free block, and a count of changes. The lists of a size
  /// lie side by side.
  CHANNELS_DEVICE std::uint64_t* first_of(unsigned size, std::uint64_t list) {
    auto* const lists = reinterpret_cast<std::uint64_t*>(this + 1);
    return lists +
           (size < small_sizes ? size * (list_mask + 1) + list : small_sizes * list_mask + size);
  }
  /// With several lists of a size: 0 if no block of the size was ever given back, else 1 more than
  /// a list where one was.
  CHANNELS_DEVICE std::uint64_t* seen(unsigned size) { return first_of(sizes, 0) + size; }

  /// Takes a block from a list: where it is, or 0.
  template <class Atomics>
  CHANNELS_DEVICE std::uint64_t take_free(std::uint64_t* first) {
    std::uint64_t head = Atomics::load(first);
    while (place_in(head) != 0) {
      // Perhaps another has it already and writes to it; then the exchange fails.
      const std::uint64_t next = Atomics::load(link_of(place_in(head)));
      const std::uint64_t now = (head & ~places) + (places + 1) + next;
      if (Atomics::take(first, head, now)) return place_in(head);
      head = Atomics::load(first);
    }
    return 0;
  }
  /// From the caller's list of a size, or one of two others, which change as memory is taken: what
  /// some lanes give back and others want is found.
  template <class Atomics>
  CHANNELS_DEVICE std::uint64_t take_near(unsigned size) {
    const std::uint64_t own = Atomics::list_of(0);
    const std::uint64_t mask = lists_of(size) - 1;
    if (const std::uint64_t free = take_free<Atomics>(first_of(size, own & mask))) return free;
    if (mask == 0 || Atomics::peek(seen(size)) == 0) return 0;
    const std::uint64_t other = (own + 1 + Atomics::peek(&used)) * 0x9e3779b97f4a7c15U;
    if (const std::uint64_t free = take_free<Atomics>(first_of(size, other >> 20U & mask)))
      return free;
    return take_free<Atomics>(first_of(size, other >> 40U & mask));
  }
  /// From any list of a size; the first is one where there was one before.
  template <class Atomics>
  CHANNELS_DEVICE std::uint64_t take_any(unsigned size) {
    const std::uint64_t lists = lists_of(size);
    if (list_mask == 0) return take_free<Atomics>(first_of(size, 0));
    const std::uint64_t begin = Atomics::peek(seen(size));
    if (begin == 0) return 0;
    for (std::uint64_t i = 0; i < lists; ++i) {
      const std::uint64_t list = (begin - 1 + i) & (lists - 1);
      if (const std::uint64_t free = take_free<Atomics>(first_of(size, list))) {
        if (i != 0) Atomics::take(seen(size), begin, list + 1);
        return free;
      }
    }
    return 0;
  }

  static CHANNELS_DEVICE std::uint64_t place_in(std::uint64_t head) { return head & places; }
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t own_units() const {
    return (head_bytes(list_mask + 1) + unit - 1) / unit;
  }
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
