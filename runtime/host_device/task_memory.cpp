#include "runtime/host_device/task_memory.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min
#include <limits>     // numeric_limits
#include <new>        // bad_alloc
#include <utility>    // exchange

namespace channels::host {

void* task_memory::allocate(allocated_blocks& blocks, std::size_t bytes, std::uint32_t level,
                            const char* task) {
  const std::lock_guard lock(mutex_);
  blocks.level = level;
  // The minimum: a size that the program computed may be close to the largest number there is.
  // Rounded to whole blocks, since the pool aligns pieces by their size.
  constexpr std::size_t block = sizeof(allocated_block);
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() - 2 * block;
  const std::size_t all = (std::min(bytes, most) + 2 * block - 1) / block * block;
  if (!may_have(blocks, all)) {
    if (first_of_level_[level] == &blocks) {
      failure_ = fmt::format(
          "{}: no memory at level {} for {} bytes of an array of variable length or alloca; {} of "
          "{} bytes, half of CHANNELS_MEMORY, are in use: set CHANNELS_MEMORY higher",
          task, level, bytes, in_use_, limit_);
    }
    return nullptr;
  }
  void* room = nullptr;
  try {
    room = pool_.allocate(all, alignof(allocated_block));
  } catch (const std::bad_alloc&) {
    failure_ = fmt::format("{}: the host has no {} bytes for an array of variable length or alloca",
                           task, bytes);
    return nullptr;
  }
  in_use_ += all;
  failure_.clear();
  blocks.first = new (room) allocated_block{blocks.first, all};
  return blocks.first + 1;
}

bool task_memory::may_have(const allocated_blocks& blocks, std::size_t bytes) {
  const std::size_t free = limit_ - in_use_;
  const std::size_t reserve = limit_ / 2;
  if (free > reserve && bytes <= free - reserve) return true;
  const allocated_blocks*& first = first_of_level_[blocks.level];
  if (first == nullptr) first = &blocks;
  return first == &blocks && bytes <= free;
}

void task_memory::release(allocated_blocks& blocks) {
  if (blocks.first == nullptr) return;
  const std::lock_guard lock(mutex_);
  for (allocated_block* each = std::exchange(blocks.first, nullptr); each != nullptr;) {
    allocated_block* const next = each->next;
    in_use_ -= each->bytes;
    pool_.deallocate(each, each->bytes, alignof(allocated_block));
    each = next;
  }
  const auto first = first_of_level_.find(blocks.level);
  if (first != first_of_level_.end() && first->second == &blocks) first_of_level_.erase(first);
  ++releases_;
}

std::uint64_t task_memory::releases() const {
  const std::lock_guard lock(mutex_);
  return releases_;
}

std::string task_memory::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void* allocate(task_memory& from, allocated_blocks& blocks, std::size_t bytes, std::uint32_t level,
               const char* task) {
  return from.allocate(blocks, bytes, level, task);
}

void release(task_memory& to, allocated_blocks& blocks) { to.release(blocks); }

}  // namespace channels::host
