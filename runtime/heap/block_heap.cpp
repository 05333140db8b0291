#include "runtime/heap/block_heap.hpp"

#include <bit>  // bit_width, countr_zero

namespace channels::heap {

void block_heap::add(void* chunk, std::size_t bytes) {
  bytes = bytes / alignment * alignment;
  auto* const one = static_cast<header*>(chunk);
  one->before = nullptr;
  one->bits = bytes - 2 * sizeof(header);
  // The end of the chunk: never free, so no block is joined with it.
  header* const end = one->after();
  end->before = one;
  end->bits = 0;
  insert(one);
}

void* block_heap::take(std::size_t bytes, std::size_t aligned) {
  constexpr std::size_t most = std::size_t{1} << 46U;
  if (bytes > most || aligned > most) return nullptr;
  bytes = bytes < alignment ? alignment : (bytes + alignment - 1) / alignment * alignment;
  // The bytes that are cut off in front become a block.
  const std::size_t slack = aligned > alignment ? aligned + sizeof(header) + alignment : 0;
  header* one = find(bytes + slack);
  if (one == nullptr) return nullptr;
  remove(one);
  if (slack != 0) {
    const auto start = reinterpret_cast<std::uintptr_t>(one + 1);
    std::uintptr_t wanted = (start + aligned - 1) / aligned * aligned;
    if (wanted != start && wanted - start < sizeof(header) + alignment)
      wanted = (start + sizeof(header) + alignment + aligned - 1) / aligned * aligned;
    if (wanted != start) {
      const std::size_t whole = one->size();
      header* const after = one->after();
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that was aligned
      auto* const cut = reinterpret_cast<header*>(wanted) - 1;
      one->bits = wanted - sizeof(header) - start;
      cut->before = one;
      cut->bits = whole - (wanted - start);
      after->before = cut;
      insert(one);
      one = cut;
    }
  }
  trim(one, bytes);
  return one + 1;
}

void block_heap::give_back(void* block) {
  header* one = static_cast<header*>(block) - 1;
  header* const after = one->after();
  if (after->is_free()) {
    remove(after);
    one->bits = one->size() + sizeof(header) + after->size();
    one->after()->before = one;
  }
  header* const before = one->before;
  if (before != nullptr && before->is_free()) {
    remove(before);
    before->bits = before->size() + sizeof(header) + one->size();
    before->after()->before = before;
    one = before;
  }
  insert(one);
}

std::size_t block_heap::size_of(const void* block) {
  return (static_cast<const header*>(block) - 1)->size();
}

block_heap::place block_heap::place_of(std::size_t bytes) {
  if (bytes < small) return {0, static_cast<unsigned>(bytes / alignment)};
  const auto log2 = static_cast<unsigned>(std::bit_width(bytes)) - 1;
  const unsigned range = log2 - static_cast<unsigned>(std::bit_width(small)) + 2;
  return {range, static_cast<unsigned>(bytes >> (log2 - steps_log2)) - steps};
}

block_heap::header* block_heap::find(std::size_t bytes) const {
  // Every block of the list that this rounds up to is large enough.
  if (bytes >= small) {
    const auto log2 = static_cast<unsigned>(std::bit_width(bytes)) - 1;
    bytes += (std::size_t{1} << (log2 - steps_log2)) - 1;
  }
  const place from = place_of(bytes);
  if (from.range >= ranges) return nullptr;
  const std::uint32_t same = steps_with_blocks_[from.range] & (~std::uint32_t{0} << from.step);
  if (same != 0) return first_[from.range][std::countr_zero(same)];
  const std::uint64_t larger = ranges_with_blocks_ & (~std::uint64_t{0} << (from.range + 1));
  if (larger == 0) return nullptr;
  const auto range = static_cast<unsigned>(std::countr_zero(larger));
  return first_[range][std::countr_zero(steps_with_blocks_[range])];
}

void block_heap::insert(header* one) {
  one->bits |= 1U;
  const place at = place_of(one->size());
  header*& first = first_[at.range][at.step];
  links_of(one) = {first, nullptr};
  if (first != nullptr) links_of(first).previous = one;
  first = one;
  steps_with_blocks_[at.range] |= std::uint32_t{1} << at.step;
  ranges_with_blocks_ |= std::uint64_t{1} << at.range;
}

void block_heap::remove(header* one) {
  const place at = place_of(one->size());
  const links neighbours = links_of(one);
  if (neighbours.next != nullptr) links_of(neighbours.next).previous = neighbours.previous;
  if (neighbours.previous != nullptr) {
    links_of(neighbours.previous).next = neighbours.next;
  } else {
    first_[at.range][at.step] = neighbours.next;
    if (neighbours.next == nullptr) {
      steps_with_blocks_[at.range] &= ~(std::uint32_t{1} << at.step);
      if (steps_with_blocks_[at.range] == 0) ranges_with_blocks_ &= ~(std::uint64_t{1} << at.range);
    }
  }
  one->bits = one->size();
}

void block_heap::trim(header* one, std::size_t bytes) {
  const std::size_t whole = one->size();
  if (whole < bytes + sizeof(header) + alignment) return;
  header* const after = one->after();
  one->bits = bytes;
  header* const rest = one->after();
  rest->before = one;
  rest->bits = whole - bytes - sizeof(header);
  after->before = rest;
  insert(rest);
}

}  // namespace channels::heap
