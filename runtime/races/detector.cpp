#include "runtime/races/detector.hpp"

#include <algorithm>  // max, min
#include <iterator>   // size

namespace channels::races {

detector the_detector;
__thread bool on = false;
std::uintptr_t code_base = 0;

namespace {

/// Code outside of the executable, by number.
struct far_code {
  std::uintptr_t pages[1024] = {};  // the upper bits of addresses
  std::uint32_t count = 0;
} far;
constexpr unsigned far_bits = 21;

bool is_stack(std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) &&
         address < the_detector.stack_top;
}

/// The child that makes an earlier access parallel to now; null if none does.
inline const open_child* parallel(noted_access earlier, std::uintptr_t address) {
  strand_stack& strands = the_detector.strands;
  if (!may_be_parallel(strands, earlier.when)) return nullptr;
  const open_child* const child = strands.find(earlier.when);
  // The child's own stack is gone, and others use the place.
  if (child != nullptr && address < child->dead_stack && is_stack(address)) return nullptr;
  return child;
}

bool writes(access_kind kind) {
  return kind != access_kind::read && kind != access_kind::atomic_read;
}
bool is_atomic(access_kind kind) {
  return kind == access_kind::atomic_read || kind == access_kind::atomic_write;
}

void compare(noted_access earlier, access_kind was, std::uintptr_t address, std::uintptr_t pc,
             access_kind kind) {
  const open_child* const child = parallel(earlier, address);
  if (child != nullptr) report({was, kind, address_of(earlier.code), pc, address, *child});
}

/// Compares the bytes of one page with atomic accesses, and adds this one if it is atomic.
void check_atomics(std::uintptr_t address, std::uintptr_t end, std::uintptr_t pc,
                   access_kind kind) {
  shadow& atomics = the_detector.atomics;
  std::uintptr_t known = atomics.entry(address);
  if (is_atomic(kind)) {
    const auto edges = static_cast<unsigned>(std::countr_zero(address | end | 8U));
    if (known == 0 || shadow::shift(known) > edges) known = atomics.refine(address, edges);
  }
  if (known == 0) return;
  const unsigned shift = shadow::shift(known);
  const std::uintptr_t base = address & ~(shadow::page_bytes - 1);
  for (std::uintptr_t i = (address - base) >> shift; i <= (end - 1 - base) >> shift; ++i) {
    cell& one = shadow::cells(known)[i];
    const std::uintptr_t at = std::max(address, base + (i << shift));
    if (is_atomic(kind)) {
      noted_access& own = kind == access_kind::atomic_write ? one.writer : one.reader;
      if (parallel(own, at) == nullptr) own = {the_detector.strands.now, code_of(pc)};
    } else {
      compare(one.writer, access_kind::atomic_write, at, pc, kind);
      if (writes(kind)) compare(one.reader, access_kind::atomic_read, at, pc, kind);
    }
  }
}

}  // namespace

void forget(std::uintptr_t address, std::size_t bytes) {
  the_detector.memory.forget(address, bytes);
  if (the_detector.exact) the_detector.atomics.forget(address, bytes);
}

std::uint32_t far_code_of(std::uintptr_t pc) {
  const std::uintptr_t page = pc >> far_bits;
  std::uint32_t number = 0;
  while (number < far.count && far.pages[number] != page) ++number;
  if (number == far.count) {
    if (number == std::size(far.pages)) return 0;
    far.pages[far.count++] = page;
  }
  return 0x80000000U | number << far_bits |
         static_cast<std::uint32_t>(pc & ((std::uintptr_t{1} << far_bits) - 1));
}

std::uintptr_t address_of(std::uint32_t code) {
  if ((code & 0x80000000U) == 0) return code_base + code;
  return far.pages[(code & 0x7fffffffU) >> far_bits] << far_bits |
         (code & ((std::uintptr_t{1} << far_bits) - 1));
}

void check_cells(cell* first, cell* last, std::uintptr_t address, unsigned shift, std::uintptr_t pc,
                 access_kind kind) {
  const noted_access now = {the_detector.strands.now, code_of(pc)};
  for (cell* one = first; one != last; ++one, address += std::uintptr_t{1} << shift) {
    if (parallel(one->writer, address) != nullptr)
      compare(one->writer, access_kind::write, address, pc, kind);
    const bool free_reader = parallel(one->reader, address) == nullptr;
    if (writes(kind) && !free_reader) compare(one->reader, access_kind::read, address, pc, kind);
    if (is_atomic(kind)) continue;
    if (writes(kind)) {
      one->writer = now;
      if (free_reader) one->reader = {};
    } else if (free_reader) {
      // Otherwise the reader that is there stays: what is parallel to this one is parallel to it.
      one->reader = now;
    }
  }
}

void check_range(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc, access_kind kind) {
  if (!on || bytes == 0) return;
  shadow& memory = the_detector.memory;
  pc = users_code(pc);
  if (the_detector.as_atomic != 0) {
    kind = writes(kind) ? access_kind::atomic_write : access_kind::atomic_read;
  }
  if (is_atomic(kind)) the_detector.exact = true;
  const std::uintptr_t end = address + bytes;
  while (address < end) {
    const std::uintptr_t next = std::min(end, (address | (shadow::page_bytes - 1)) + 1);
    if (the_detector.exact) check_atomics(address, next, pc, kind);
    const auto edges = static_cast<unsigned>(std::countr_zero(address | next | 8U));
    std::uintptr_t known = memory.entry(address);
    if (known == 0 || shadow::shift(known) > edges) known = memory.refine(address, edges);
    const unsigned shift = shadow::shift(known);
    const std::uintptr_t base = address & ~(shadow::page_bytes - 1);
    cell* const cells = shadow::cells(known);
    check_cells(cells + ((address - base) >> shift), cells + ((next - base) >> shift), address,
                shift, pc, kind);
    address = next;
  }
}

}  // namespace channels::races
