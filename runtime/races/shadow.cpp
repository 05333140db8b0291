#include "runtime/races/shadow.hpp"

#include <sys/mman.h>  // mmap

#include <algorithm>  // min
#include <bit>        // countr_zero

namespace channels::races {
namespace {

constexpr unsigned address_bits = 47;
constexpr std::size_t chunk_bytes = std::size_t{4} << 20U;

std::size_t bytes_of(unsigned shift) { return (shadow::page_bytes >> shift) * sizeof(cell); }

}  // namespace

bool shadow::start() {
  if (pages_ != nullptr) return true;
  const std::size_t bytes = sizeof(std::uintptr_t) << (address_bits - page_bits);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  pages_ = static_cast<std::uintptr_t*>(memory);
  return true;
}

cell* shadow::take(unsigned shift) {
  cell* made = free_[shift];
  if (made != nullptr) {
    free_[shift] = *reinterpret_cast<cell**>(made);
    return made;
  }
  const std::size_t bytes = bytes_of(shift);
  if (left_ < bytes) {
    void* const memory = mmap(nullptr, chunk_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) __builtin_trap();
    chunk_ = static_cast<char*>(memory);
    left_ = chunk_bytes;
  }
  made = reinterpret_cast<cell*>(chunk_);
  chunk_ += bytes;
  left_ -= bytes;
  return made;
}

void shadow::give_back(cell* cells, unsigned shift) {
  *reinterpret_cast<cell**>(cells) = free_[shift];
  free_[shift] = cells;
}

std::uintptr_t shadow::refine(std::uintptr_t address, unsigned most) {
  std::uintptr_t& place = pages_[address >> page_bits];
  const unsigned had = place == 0 ? 4 : shift(place);
  if (had <= most) return place;
  cell* const made = take(most);
  const std::size_t count = page_bytes >> most;
  if (place == 0) {
    for (std::size_t i = 0; i < count; ++i) made[i] = {};
  } else {
    cell* const old = cells(place);
    for (std::size_t i = 0; i < count; ++i) made[i] = old[i >> (had - most)];
    give_back(old, had);
  }
  return place = reinterpret_cast<std::uintptr_t>(made) | most;
}

void shadow::forget(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t end = address + bytes;
  while (address < end) {
    const std::uintptr_t next = std::min(end, (address | (page_bytes - 1)) + 1);
    std::uintptr_t known = entry(address);
    if (known != 0) {
      const auto edges = static_cast<unsigned>(std::countr_zero(address | next | 8U));
      if (shift(known) > edges) known = refine(address, edges);
      const std::uintptr_t base = address & ~(page_bytes - 1);
      cell* const first = cells(known) + ((address - base) >> shift(known));
      cell* const last = cells(known) + ((next - base) >> shift(known));
      for (cell* one = first; one != last; ++one) *one = {};
    }
    address = next;
  }
}

}  // namespace channels::races
