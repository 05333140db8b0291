#pragma once

#include <chrono>  // steady_clock
#include <memory>  // unique_ptr
#include <string>  // string

#include "channels/detail/task_allocations.hpp"
#include "channels/gpu/channels/task_heap.hpp"
#include "channels/gpu/port/memory.hpp"

namespace channels::gpu::detail {

template <class Arena>
CHANNELS_GPU_KERNEL join_blocks(Arena* open, Arena* kept) {
  if (item_index() == 0) {
    open->join();
    kept->join();
  }
}

/// The host's side of `task_heap`.
class task_arenas final : public channels::detail::task_allocations {
 public:
  /// Both together in `bytes` of the device's memory.
  explicit task_arenas(std::size_t bytes) : bytes_(bytes) {
    const std::size_t half = bytes / 2 / heap::arena::unit * heap::arena::unit;
    const std::uint64_t lists = heap::arena::lists_for(half);
    const std::uint64_t head = heap::arena::head_bytes(lists);
    if (half <= 2 * head) {
      throw error("CHANNELS_MEMORY: of the half that is for what tasks allocate, " +
                  std::to_string(bytes) + " bytes, nothing is left; set CHANNELS_MEMORY higher");
    }
    memory_ = allocate<std::byte>(2 * half, "memory for what tasks allocate (CHANNELS_MEMORY)");
    missed_ = allocate_on_host<std::uint64_t>(sizeof(std::uint64_t), "pinned memory");
    *missed_ = 0;
    stream_.make();
    for (std::byte* const at : {memory_.get(), memory_.get() + half}) {
      const heap::arena begin{half / heap::arena::unit, lists - 1, 0, 0, 0, 0, nullptr};
      check(CHANNELS_GPU(Memset)(at, 0, head), "memory for what tasks allocate");
      check(CHANNELS_GPU(Memcpy)(at, &begin, sizeof begin, CHANNELS_GPU(MemcpyHostToDevice)),
            "memory for what tasks allocate");
    }
    finish_copies();
    heap_ = {reinterpret_cast<heap::arena*>(memory_.get()),
             reinterpret_cast<heap::arena*>(memory_.get() + half), missed_.get()};
  }
  task_arenas(const task_arenas&) = delete;
  task_arenas& operator=(const task_arenas&) = delete;
  ~task_arenas() override = default;

  [[nodiscard]] const task_heap& heap() const { return heap_; }
  void count_releases(std::uint64_t tasks) { releases_ += tasks; }
  /// A frame of `task` goes on alone.
  void grant(const std::string& task, std::uint32_t level) {
    task_ = task;
    level_ = level;
    *missed_ = 0;
  }

  [[nodiscard]] std::uint64_t releases() const override { return releases_; }
  [[nodiscard]] std::string failure() const override {
    // Relaxed: the batch has ended.
    const std::uint64_t wanted = __atomic_load_n(missed_.get(), __ATOMIC_RELAXED);
    if (wanted == 0) return {};
    return task_ + ": no memory at level " + std::to_string(level_) + " for " +
           std::to_string(wanted) +
           " bytes of an array of variable length or alloca, though nothing else goes on; all that "
           "tasks may have is " +
           std::to_string(bytes_) + " bytes, half of CHANNELS_MEMORY: set CHANNELS_MEMORY higher";
  }
  [[nodiscard]] bool grants() const override { return true; }
  void join() override {
    launch(join_blocks<heap::arena>, 1, 1, 0, stream_.handle(), heap_.open, heap_.kept);
    const auto end = std::chrono::steady_clock::now() + most_to_join;
    error_code code = stream_.query();
    while (code == CHANNELS_GPU(ErrorNotReady) && std::chrono::steady_clock::now() < end) {
      host_nap();
      code = stream_.query();
    }
    if (code == CHANNELS_GPU(ErrorNotReady)) stream_.device().lose();
    check(code, "joining free blocks of what tasks allocate");
  }

 private:
  /// Enough for some million blocks, one after the other.
  static constexpr std::chrono::seconds most_to_join{20};

  std::size_t bytes_;
  std::unique_ptr<std::byte, free_memory> memory_;
  std::unique_ptr<std::uint64_t, free_host_memory> missed_;
  own_stream stream_;
  task_heap heap_{};
  std::uint64_t releases_ = 0;
  std::string task_;
  std::uint32_t level_ = 0;
};

}  // namespace channels::gpu::detail
