#pragma once

#include <algorithm>  // min
#include <cstddef>    // byte, size_t
#include <cstdint>    // uint8_t, uint16_t, uint32_t, uint64_t
#include <memory>     // unique_ptr

#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// A large variable of the host, which the device can access where it is.
struct table {
  std::byte* data;
  std::size_t bytes;
  std::size_t unit;  ///< bytes that change together: 1, 2, 4, 8 or 16
};

namespace detail {

/// A table of the host, and two copies of it in the device's memory: from before and after the run.
template <class Word>
struct changed_table {
  Word* of_host;
  const Word* before;
  const Word* now;
  std::size_t words;
  std::size_t items;  ///< work-items of the kernel
};

/// A kernel that writes the words that have changed to the host's table, and no others.
template <class Word>
CHANNELS_GPU_BATCH_KERNEL write_changes(const CHANNELS_GPU_PARAMETER changed_table<Word> t) {
  for (std::size_t i = gpu::detail::item_index(); i < t.words; i += t.items) {
    const Word now = t.now[i];
    if (now != t.before[i]) t.of_host[i] = now;
  }
}

}  // namespace detail

/// A large variable's copy in the device's memory. It is copied from the host's memory before each
/// run, because to find out whether the host has changed it would take longer. If tasks may change
/// it, a second copy stays as it came, and the device compares the two after the run.
class table_copy {
 public:
  /// `changed`: tasks may change it. Without room for it, the object is empty (`operator bool`).
  table_copy(const table& of_host, bool changed) : of_host_(of_host) {
    now_ = room();
    if (changed && now_ != nullptr) before_ = room();
    if (changed && before_ == nullptr) now_.reset();
  }

  explicit operator bool() const { return now_ != nullptr; }
  [[nodiscard]] std::byte* data() const { return now_.get(); }

  /// Before a run: begins the copies to the device. `finish_copies` waits for them.
  void to_device() {
    if (before_ == nullptr)
      return copy(now_.get(), of_host_.data, CHANNELS_GPU(MemcpyHostToDevice));
    copy(before_.get(), of_host_.data, CHANNELS_GPU(MemcpyHostToDevice));
    copy(now_.get(), before_.get(), CHANNELS_GPU(MemcpyDeviceToDevice));
  }

  /// After a run that has ended well: begins to write what tasks have changed to the host's table.
  void from_device(const gpu::detail::own_stream& on) {
    if (before_ == nullptr) return;
    switch (of_host_.unit) {
      case 2: return write<std::uint16_t>(on);
      case 4: return write<std::uint32_t>(on);
      case 8:
      case 16: return write<std::uint64_t>(on);
      default: return write<std::uint8_t>(on);
    }
  }

 private:
  using memory = std::unique_ptr<std::byte, gpu::detail::free_memory>;

  [[nodiscard]] memory room() const {
    void* p = nullptr;
    if (CHANNELS_GPU(Malloc)(&p, of_host_.bytes) == gpu::success)
      return memory(static_cast<std::byte*>(p));
    (void)CHANNELS_GPU(GetLastError)();
    return nullptr;
  }

  template <class Kind>
  void copy(std::byte* to, const std::byte* from, Kind kind) const {
    gpu::detail::check(CHANNELS_GPU(Memcpy)(to, from, of_host_.bytes, kind),
                       "variables before the run");
  }

  template <class Word>
  void write(const gpu::detail::own_stream& on) const {
    constexpr unsigned items = gpu::batch_waves * gpu::detail::wave_width;
    const std::size_t words = of_host_.bytes / sizeof(Word);
    const std::size_t wanted = (words + items - 1) / items;
    static const unsigned units = gpu::detail::shape_of_device(0).units;
    const auto groups = static_cast<unsigned>(std::min<std::size_t>(
        wanted, std::size_t{gpu::program_memory_tuning::table_groups} * units));
    gpu::launch(
        detail::write_changes<Word>, groups, items, 0, on.handle(),
        {reinterpret_cast<Word*>(of_host_.data), reinterpret_cast<const Word*>(before_.get()),
         reinterpret_cast<const Word*>(now_.get()), words, std::size_t{groups} * items});
    gpu::detail::check(CHANNELS_GPU(GetLastError)(), "variables after the run");
  }

  table of_host_;
  memory now_;
  memory before_;
};

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
