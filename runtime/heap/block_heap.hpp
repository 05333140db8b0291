#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers

namespace channels::heap {

/// Memory in blocks, taken and given back in constant time: two-level segregated fit (Masmano,
/// Ripoll, Crespo, Real, "TLSF: a New Dynamic Memory Allocator for Real-Time Systems", ECRTS 2004).
/// Free blocks of similar size are in one list; a block that is freed is joined with its
/// neighbours. One thread at a time may use it. It allocates nothing itself, so `malloc` can
/// be built on it.
class block_heap {
 public:
  /// Alignment of every block, in bytes.
  static constexpr std::size_t alignment = 16;
  /// Bytes that a chunk needs beside its only block.
  static constexpr std::size_t overhead = 64;

  /// Adds memory to take blocks from, for ever. It is aligned and has at least `overhead` bytes.
  void add(void* chunk, std::size_t bytes);
  /// Takes a block. Null if no free block is large enough. `aligned` is a power of two.
  [[nodiscard]] void* take(std::size_t bytes, std::size_t aligned = alignment);
  void give_back(void* block);
  /// The bytes of a block: as many as were asked for, or some more.
  [[nodiscard]] static std::size_t size_of(const void* block);

 private:
  /// Stands in front of each block.
  struct header {
    std::size_t bits;  ///< bytes of the block; the lowest bit is set if it is free
    header* before;    ///< the neighbour below; null for the lowest

    [[nodiscard]] std::size_t size() const { return bits & ~std::size_t{1}; }
    [[nodiscard]] bool is_free() const { return (bits & 1U) != 0; }
    [[nodiscard]] header* after() {
      return reinterpret_cast<header*>(reinterpret_cast<std::byte*>(this + 1) + size());
    }
  };
  static_assert(sizeof(header) == alignment, "a block follows its header");
  /// Stands in a free block.
  struct links {
    header* next;
    header* previous;
  };

  /// Below 512 bytes there is a list for each multiple of 16; above, each power of two has 32
  /// lists.
  static constexpr unsigned steps_log2 = 5;
  static constexpr unsigned steps = 1U << steps_log2;
  static constexpr std::size_t small = std::size_t{alignment} * steps;
  static constexpr unsigned ranges = 40;
  struct place {
    unsigned range;
    unsigned step;
  };

  static links& links_of(header* one) { return *reinterpret_cast<links*>(one + 1); }
  [[nodiscard]] static place place_of(std::size_t bytes);
  [[nodiscard]] header* find(std::size_t bytes) const;
  void insert(header* one);
  void remove(header* one);
  /// Cuts the bytes beyond `bytes` off a block and makes them a free block.
  void trim(header* one, std::size_t bytes);

  std::uint64_t ranges_with_blocks_ = 0;
  std::uint32_t steps_with_blocks_[ranges] = {};
  header* first_[ranges][steps] = {};
};

}  // namespace channels::heap
