#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // uint64_t

#include "runtime/races/strands.hpp"

namespace channels::races {

/// One access: when, and by which code (`code_of`, `address_of`).
struct noted_access {
  moment when;
  std::uint32_t code;
};

/// What is known about some bytes of the program: the last write, and the read that matters.
struct cell {
  noted_access writer;
  noted_access reader;
};

/// The cells of the program's memory. Each page of 4 KiB has cells for 8, 4, 2 or 1 bytes: for as
/// many as each access of the page so far has read or written as a whole. So answers are exact to
/// the byte, and arrays of larger elements take fewer cells.
class shadow {
 public:
  static constexpr unsigned page_bits = 12;
  static constexpr std::uintptr_t page_bytes = std::uintptr_t{1} << page_bits;

  /// Reserves the table of pages. Returns whether the system allows it.
  [[nodiscard]] bool start();

  /// A page's entry: the address of its cells and, in the low bits, the binary logarithm of the
  /// bytes of one cell. 0: nothing is known of the page.
  [[nodiscard]] std::uintptr_t entry(std::uintptr_t address) const {
    return pages_[address >> page_bits];
  }
  static unsigned shift(std::uintptr_t entry) { return static_cast<unsigned>(entry & 3U); }
  static cell* cells(std::uintptr_t entry) {
    return reinterpret_cast<cell*>(entry & ~std::uintptr_t{3});
  }

  /// The page's entry with cells of at most `1 << most` bytes.
  std::uintptr_t refine(std::uintptr_t address, unsigned most);

  /// Forgets what is known about the bytes.
  void forget(std::uintptr_t address, std::size_t bytes);

 private:
  cell* take(unsigned shift);
  void give_back(cell* cells, unsigned shift);

  std::uintptr_t* pages_ = nullptr;
  cell* free_[4] = {};
  char* chunk_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace channels::races
