// The allocations of tasks that run depth-first.

#include <fmt/format.h>  // format

#include <cstdlib>  // malloc

#include "channels/depth_first.hpp"
#include "channels/error.hpp"

namespace channels::detail {

void* heap_blocks::allocate(std::size_t bytes) {
  const std::size_t all = bytes + sizeof(block);
  void* const room = all < bytes ? nullptr : std::malloc(all);
  if (room == nullptr) {
    throw error(fmt::format(
        "a task allocates {} bytes (an array of variable length, or alloca): the host has no more",
        bytes));
  }
  first_ = new (room) block{first_};
  return first_ + 1;
}

heap_blocks::~heap_blocks() {
  for (block* each = first_; each != nullptr;) {
    block* const next = each->next;
    std::free(each);
    each = next;
  }
}

}  // namespace channels::detail
