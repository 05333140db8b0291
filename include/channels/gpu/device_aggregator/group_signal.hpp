#pragma once

#include <cstdint>  // uint32_t, uint64_t

#include "channels/gpu/port/atomic.hpp"

namespace channels::gpu::detail {

/// One wavefront of a work-group tells another how far it is, through the group's memory: it raises
/// the signal to 1, 2, 3 and so on, each time after the other has seen the number before.
///
/// On CUDA it is a barrier in memory, at which only the teller arrives. The other learns of that in
/// two thirds of the time that reading a word takes. Tools that look for races know barriers, but
/// neither release nor acquire.
class group_signal {
 public:
  /// By one lane, before a barrier of the work-group.
  CHANNELS_GPU_INLINE void begin() {
#if CHANNELS_GPU_HAS_MBARRIER
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "n"(wave_width) : "memory");
#else
    state_ = 0;
#endif
  }

  /// By all lanes. Release: what they wrote before.
  CHANNELS_GPU_INLINE void raise([[maybe_unused]] std::uint32_t number) {
#if CHANNELS_GPU_HAS_MBARRIER
    // Every lane for itself.
    asm volatile(
        "{\n"
        ".reg .b64 phase;\n"
        "mbarrier.arrive.shared.b64 phase, [%0];\n"
        "}\n" ::"r"(address())
        : "memory");
#else
    fence_in_wave();
    if (lane_index() == 0)
      channels::detail::atomic_store<channels::detail::order::release, scope::group>(
          &state_, std::uint64_t{number});
#endif
  }

  /// Acquire: what is there with the number, every lane for itself.
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_at(std::uint32_t number) const {
#if CHANNELS_GPU_HAS_MBARRIER
    std::uint32_t there = 0;
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n"
        "}\n"
        : "=r"(there)
        : "r"(address()), "r"(parity(number))
        : "memory");
    return there != 0;
#else
    return load<channels::detail::order::acquire, scope::group>(&state_) == number;
#endif
  }

  /// By all lanes. Until it is at the number; acquire.
  CHANNELS_GPU_INLINE void wait_for(std::uint32_t number) const {
#if CHANNELS_GPU_HAS_MBARRIER && __CUDA_ARCH__ >= 900
    // The wavefront sleeps for a while, and is woken: 30 ns sooner than by asking again.
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
        "@!p bra again;\n"
        "}\n" ::"r"(address()),
        "r"(parity(number))
        : "memory");
#else
    while (!is_at(number)) relax();
#endif
    converge();
  }

 private:
#if CHANNELS_GPU_HAS_MBARRIER
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t address() const {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(&state_));
  }
  /// The parity of the phase that ends when the signal is raised to `number`.
  [[nodiscard]] CHANNELS_GPU_INLINE static std::uint32_t parity(std::uint32_t number) {
    return (number - 1) % 2;
  }
#endif

  std::uint64_t state_;
};

}  // namespace channels::gpu::detail
