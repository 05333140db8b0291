#include "runtime/aggregator/memory_pool.hpp"

#include <algorithm>  // max
#include <cassert>    // assert
#include <iterator>   // prev

#include "channels/config.hpp"
#include "channels/detail/element.hpp"

namespace channels::detail {

memory_pool::memory_pool(std::size_t bytes) : size_(bytes / cache_line * cache_line) {
  if (size_ != 0) add_free(0, size_);
}

std::optional<memory_block> memory_pool::take(std::size_t bytes) {
  bytes = round_up(std::max<std::size_t>(bytes, 1), cache_line);
  const auto best = by_size_.lower_bound({bytes, 0});
  if (best == by_size_.end()) return std::nullopt;
  const auto [length, offset] = *best;
  remove_free(by_offset_.find(offset));
  if (length != bytes) add_free(offset + bytes, length - bytes);
  in_use_ += bytes;
  high_water_ = std::max(high_water_, in_use_);
  return memory_block{offset, bytes};
}

void memory_pool::give_back(memory_block block) {
  assert(block.bytes <= in_use_);
  in_use_ -= block.bytes;
  const auto after = by_offset_.lower_bound(block.offset);
  if (after != by_offset_.end() && block.offset + block.bytes == after->first) {
    block.bytes += after->second;
    remove_free(after);
  }
  const auto next = by_offset_.lower_bound(block.offset);
  if (next != by_offset_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == block.offset) {
      block.offset = before->first;
      block.bytes += before->second;
      remove_free(before);
    }
  }
  add_free(block.offset, block.bytes);
}

void memory_pool::add_free(std::size_t offset, std::size_t bytes) {
  by_offset_.emplace(offset, bytes);
  by_size_.emplace(bytes, offset);
}

void memory_pool::remove_free(std::map<std::size_t, std::size_t>::iterator piece) {
  by_size_.erase({piece->second, piece->first});
  by_offset_.erase(piece);
}

}  // namespace channels::detail
