#pragma once

#include "channels/gpu/scheduler/frames.hpp"

namespace channels::gpu::detail {

/// The header of what a task has allocated. It keeps that aligned to 16 bytes.
struct alignas(16) heap_block {
  heap_block* next;  ///< the next block of the same frame, or the next free one of this size
  std::uint32_t size_number;  ///< 2^this units; 0: it is of the reserve, which frees it by itself
};

/// Units of the pool for a block with room for `bytes`, and its header.
CHANNELS_GPU_INLINE std::uint32_t units_for(std::size_t bytes) {
  const std::size_t units = (bytes + sizeof(heap_block) + unit_bytes - 1) / unit_bytes;
  return units > most_units ? static_cast<std::uint32_t>(most_units)
                            : static_cast<std::uint32_t>(units);
}

/// Memory from the pool that a lane's tasks allocate besides their frames. Blocks that a task gives
/// back stay with the lane that ran its end, in a list for each size. One lane calls these
/// functions, for itself.
template <class Set>
class lane_heap {
 public:
  /// Blocks are of 32 bytes to 16 MB, each size twice the one before.
  static constexpr std::uint32_t size_count = Set::any_allocates ? 21 : 0;

  /// Words of the work-group's memory for `width` lanes.
  static constexpr CHANNELS_DEVICE std::uint32_t words(unsigned width) {
    return 2 * size_count * width;
  }

  CHANNELS_GPU_INLINE lane_heap(const run_parameters<Set>& run, std::uint32_t* memory)
      : run_(run), first_(memory + lane_index()) {
    if constexpr (Set::any_allocates) {
      for (std::uint32_t i = 0; i < 2 * size_count; ++i) first_[i * wave_width] = 0;
    }
  }

  /// A block with room for `bytes`. Null if the pool has none any more.
  CHANNELS_GPU_INLINE heap_block* take(std::size_t bytes) const {
    std::uint32_t number = 1;  // two units at least, one of them for the header
    while (number < size_count && (unit_bytes << number) < bytes + sizeof(heap_block)) ++number;
    if (number == size_count) return nullptr;
    heap_block* block = first(number);
    if (block != nullptr) {
      set_first(number, block->next);
      return block;
    }
    const std::uint32_t unit = take_units_alone(run_, 1U << number);
    if (unit == no_unit) return nullptr;
    block = reinterpret_cast<heap_block*>(run_.pool + std::size_t{unit} * unit_bytes);
    block->size_number = number;
    return block;
  }
  /// As `take`, from the reserve, which the wavefront has.
  CHANNELS_GPU_INLINE heap_block* take_from_reserve(std::size_t bytes) const {
    reserve_state& state = run_.control->reserve;
    const std::uint32_t units = units_for(bytes);
    const std::uint32_t low = value_of(state.low);
    if (value_of(state.high) - low < units) return nullptr;
    const std::size_t unit = run_.first_of_reserve() + low;
    set(state.low, low + units);
    auto* const block = reinterpret_cast<heap_block*>(run_.pool + unit * unit_bytes);
    block->size_number = 0;
    return block;
  }
  CHANNELS_GPU_INLINE void give_back(heap_block* block) const {
    if (block->size_number == 0) return;
    block->next = first(block->size_number);
    set_first(block->size_number, block);
  }

 private:
  [[nodiscard]] CHANNELS_GPU_INLINE heap_block* first(std::uint32_t number) const {
    const std::uint64_t low = first_[2 * number * wave_width];
    const std::uint64_t high = first_[(2 * number + 1) * wave_width];
    return reinterpret_cast<heap_block*>(low | high << 32U);
  }
  CHANNELS_GPU_INLINE void set_first(std::uint32_t number, heap_block* block) const {
    const auto address = reinterpret_cast<std::uint64_t>(block);
    first_[2 * number * wave_width] = static_cast<std::uint32_t>(address);
    first_[(2 * number + 1) * wave_width] = static_cast<std::uint32_t>(address >> 32U);
  }

  const run_parameters<Set>& run_;
  std::uint32_t* first_;  ///< the addresses of this lane's first free block of each size
};

}  // namespace channels::gpu::detail
