#include "runtime/observe/memory_reserve.hpp"

#include <atomic>   // atomic
#include <cstddef>  // size_t
#include <cstdlib>  // malloc, free
#include <mutex>    // mutex
#include <new>      // new_handler

namespace channels::detail {
namespace {

/// More than the document of a program with some runtimes.
constexpr std::size_t bytes_in_reserve = std::size_t{256} << 10U;

struct kept_memory {
  std::mutex mutex;
  unsigned users = 0;
  std::new_handler before = nullptr;
  /// Relaxed, everywhere: whoever takes the block only gives it back, and malloc orders that.
  std::atomic<void*> block{nullptr};
};
constinit kept_memory the_reserve;

void give_from_reserve() {
  if (void* const block = the_reserve.block.exchange(nullptr, std::memory_order_relaxed)) {
    std::free(block);
  } else if (the_reserve.before != nullptr) {
    the_reserve.before();
  } else {
    throw std::bad_alloc();
  }
}

}  // namespace

memory_reserve::memory_reserve() {
  const std::lock_guard lock(the_reserve.mutex);
  if (the_reserve.users++ != 0) return;
  the_reserve.before = std::set_new_handler(give_from_reserve);
  the_reserve.block.store(std::malloc(bytes_in_reserve), std::memory_order_relaxed);
}

memory_reserve::~memory_reserve() {
  const std::lock_guard lock(the_reserve.mutex);
  if (--the_reserve.users != 0) return;
  std::set_new_handler(the_reserve.before);
  std::free(the_reserve.block.exchange(nullptr, std::memory_order_relaxed));
}

}  // namespace channels::detail
