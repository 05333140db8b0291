#pragma once

#include <map>              // map
#include <memory_resource>  // unsynchronized_pool_resource
#include <mutex>            // mutex
#include <string>           // string

#include "channels/detail/task_allocations.hpp"
#include "channels/host/task_memory.hpp"

namespace channels::host {

/// Memory that the tasks of one run allocate besides their frames: arrays of variable length,
/// alloca. Bounded. It goes back when tasks finish, and all of it when the run ends, however that
/// ends. Any thread may ask.
///
/// A task that has some and wants more must not wait for others that do the same. So anybody may
/// have the first half, and the second is for one frame of each level, until that finishes: the
/// deepest of these can always go on, and a run lacks memory only if these frames alone have more
/// than half.
class task_memory final : public detail::task_allocations {
 public:
  /// `limit`: bytes.
  explicit task_memory(std::size_t limit) : limit_(limit) {}

  [[nodiscard]] void* allocate(allocated_blocks& blocks, std::size_t bytes, std::uint32_t level,
                               const char* task);
  void release(allocated_blocks& blocks);

  /// Grows when there may be memory for those who wait.
  [[nodiscard]] std::uint64_t releases() const override;
  /// The error, if the first of a level was the last who found no memory; otherwise nothing.
  [[nodiscard]] std::string failure() const override;

 private:
  [[nodiscard]] bool may_have(const allocated_blocks& blocks, std::size_t bytes);

  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::pmr::unsynchronized_pool_resource pool_{{64, 4096}};
  std::size_t in_use_ = 0;
  std::uint64_t releases_ = 0;
  std::map<std::uint32_t, const allocated_blocks*> first_of_level_;
  std::string failure_;
};

}  // namespace channels::host
