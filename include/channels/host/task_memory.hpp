#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // fixed-width integers
#include <type_traits>  // conditional_t

#include "channels/config.hpp"
#include "channels/task_traits.hpp"

/// What tasks allocate besides their frames (`lane.allocate`), as the lanes of the host see it.
namespace channels::host {

/// The memory of one run (runtime/host_device/task_memory.hpp).
class task_memory;

/// The header of a piece of memory that a task allocated. It keeps the piece aligned to 16 bytes.
struct alignas(16) allocated_block {
  allocated_block* next;
  std::size_t bytes;  ///< of the piece and this header
};

/// What one frame has allocated.
struct allocated_blocks {
  allocated_block* first;
  std::uint32_t level;  ///< of the frame; set when it first allocates
};
struct no_blocks {};

/// The list of allocations in the record of a frame of `Task`; empty if the task does not allocate.
/// `Head`: what frames of the counted rule begin with on the device.
template <task Task, class Head>
using blocks_of =
    std::conditional_t<task_traits<Task>::allocates, typename Head::blocks, no_blocks>;

/// Allocates `bytes` bytes for a frame of `task` at `level`, whose list is `blocks`. Returns null
/// if the frame has to wait until there is more.
[[nodiscard]] CHANNELS_COLD void* allocate(task_memory& from, allocated_blocks& blocks,
                                           std::size_t bytes, std::uint32_t level,
                                           const char* task);
/// Gives back all that a frame allocated.
CHANNELS_COLD void release(task_memory& to, allocated_blocks& blocks);

}  // namespace channels::host
