#pragma once

#include <map>              // map
#include <memory_resource>  // unsynchronized_pool_resource
#include <mutex>            // mutex
#include <string>           // string

#include "channels/detail/task_allocations.hpp"
#include "channels/host/task_memory.hpp"

namespace channels::host {

/// Memory that the tasks of one run allocate besides their frames: arrays of variable length,
/// alloca. It is bounded. Tasks give it back when they finish, and the rest goes when the run ends,
/// however it ends. Any thread may call it.
///
/// A task that has some memory and wants more must not wait for others that do the same. So any
/// frame may have the first half, and the second half is for one frame of each level, until that
/// frame finishes. The deepest of these can always go on, and a run lacks memory only if these
/// frames alone need more than half.
class task_memory final : public detail::task_allocations {
 public:
  /// `limit`: bytes.
  explicit task_memory(std::size_t limit) : limit_(limit) {}

  /// `bytes` for the frame of `task` at `level` that has `blocks`; null if it has to wait.
  [[nodiscard]] void* allocate(allocated_blocks& blocks, std::size_t bytes, std::uint32_t level,
                               const char* task);
  /// Gives back all that a frame has.
  void release(allocated_blocks& blocks);

  [[nodiscard]] std::uint64_t releases() const override;
  /// The error, if the frame that found no memory last was the first of its level.
  [[nodiscard]] std::string failure() const override;

 private:
  [[nodiscard]] bool may_have(const allocated_blocks& blocks, std::size_t bytes);

  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::pmr::unsynchronized_pool_resource pool_{{64, 4096}};
  std::size_t in_use_ = 0;
  std::uint64_t releases_ = 0;
  /// By level: the frame that may use the second half.
  std::map<std::uint32_t, const allocated_blocks*> first_of_level_;
  std::string failure_;
};

}  // namespace channels::host
