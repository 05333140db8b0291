#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // fixed-width integers
#include <type_traits>  // conditional_t

#include "channels/config.hpp"
#include "channels/task_traits.hpp"

/// What tasks allocate besides their frames (`lane.allocate`), as the lanes of the host see it.
namespace channels::host {

/// All of it in one run (runtime/host_device/task_memory.hpp).
class task_memory;

/// Stands before each piece of memory that a task allocated, and keeps it aligned to 16 bytes.
struct alignas(16) allocated_block {
  allocated_block* next;
  std::size_t bytes;  ///< with this
};

/// What one frame has allocated.
struct allocated_blocks {
  allocated_block* first;
  std::uint32_t level;  ///< of the frame, once it has asked
};
struct no_blocks {};

/// What the record of a frame of `Task` has for it. `Head`: what the counted rule's frames begin
/// with on the device.
template <task Task, class Head>
using blocks_of =
    std::conditional_t<task_traits<Task>::allocates, typename Head::blocks, no_blocks>;

/// `bytes` for a frame of `task` at `level` that has `blocks`; null if it has to wait until there
/// is more.
[[nodiscard]] CHANNELS_COLD void* allocate(task_memory& from, allocated_blocks& blocks,
                                           std::size_t bytes, std::uint32_t level,
                                           const char* task);
/// Gives back what a frame has.
CHANNELS_COLD void release(task_memory& to, allocated_blocks& blocks);

}  // namespace channels::host
