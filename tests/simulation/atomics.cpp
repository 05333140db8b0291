// What compilers call with -fsanitize=thread at each access, in the place of the thread
// sanitizer's. Another thread may go on before each atomic operation. One thread runs at a time,
// and what it does is seen by the next, so all memory orders are the strongest; those are for the
// thread sanitizer and tests/channel/weak_memory.

#include <cstdint>  // fixed-width integers
#include <cstring>  // memcpy, memmove, memset

#include "tests/simulation/simulation.hpp"

using namespace channels::testing::simulation;

namespace channels::testing::simulation {
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): one thread runs at a time
std::uint64_t accesses = 0;
}  // namespace channels::testing::simulation

#define SIMULATION_PLAIN(prefix, bytes)                     \
  void __tsan_##prefix##read##bytes(void*) { ++accesses; }  \
  void __tsan_##prefix##write##bytes(void*) { ++accesses; } \
  void __tsan_##prefix##read_write##bytes(void*) { ++accesses; }
#define SIMULATION_PLAINS(prefix) \
  SIMULATION_PLAIN(prefix, 1)     \
  SIMULATION_PLAIN(prefix, 2)     \
  SIMULATION_PLAIN(prefix, 4)     \
  SIMULATION_PLAIN(prefix, 8)     \
  SIMULATION_PLAIN(prefix, 16)

// An update in one step, unless the mutant tears it.
#define SIMULATION_UPDATE(bits, type, name, builtin, expression)             \
  type __tsan_atomic##bits##_##name(volatile type* at, type value, int) {    \
    step();                                                                  \
    if (is_on() && is(mutant::torn_updates)) {                               \
      const type old = __atomic_load_n(at, __ATOMIC_SEQ_CST);                \
      step();                                                                \
      __atomic_store_n(at, static_cast<type>(expression), __ATOMIC_SEQ_CST); \
      return old;                                                            \
    }                                                                        \
    return builtin(at, value, __ATOMIC_SEQ_CST);                             \
  }
#define SIMULATION_ATOMICS(bits, type)                                                             \
  type __tsan_atomic##bits##_load(const volatile type* at, int) {                                  \
    step();                                                                                        \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile type* at, type value, int) {                           \
    step();                                                                                        \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                \
  SIMULATION_UPDATE(bits, type, exchange, __atomic_exchange_n, value)                              \
  SIMULATION_UPDATE(bits, type, fetch_add, __atomic_fetch_add, old + value)                        \
  SIMULATION_UPDATE(bits, type, fetch_sub, __atomic_fetch_sub, old - value)                        \
  SIMULATION_UPDATE(bits, type, fetch_and, __atomic_fetch_and, old& value)                         \
  SIMULATION_UPDATE(bits, type, fetch_or, __atomic_fetch_or, old | value)                          \
  SIMULATION_UPDATE(bits, type, fetch_xor, __atomic_fetch_xor, old ^ value)                        \
  SIMULATION_UPDATE(bits, type, fetch_nand, __atomic_fetch_nand, ~(old & value))                   \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type* at, type* expected,             \
                                                    type wanted, int, int) {                       \
    step();                                                                                        \
    return __atomic_compare_exchange_n(at, expected, wanted, false, __ATOMIC_SEQ_CST,              \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  /* It may fail without a reason. */                                                              \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type* at, type* expected, type wanted,  \
                                                  int, int) {                                      \
    step();                                                                                        \
    if (is_on() && once_in(16)) {                                                                  \
      *expected = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                           \
      return 0;                                                                                    \
    }                                                                                              \
    return __atomic_compare_exchange_n(at, expected, wanted, false, __ATOMIC_SEQ_CST,              \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* at, type expected, type wanted,   \
                                                  int, int) {                                      \
    step();                                                                                        \
    __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                               \
  }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
SIMULATION_PLAINS()
SIMULATION_PLAINS(unaligned_)
SIMULATION_PLAINS(volatile_)
void __tsan_read_range(void*, std::size_t) { ++accesses; }
void __tsan_write_range(void*, std::size_t) { ++accesses; }
void __tsan_vptr_read(void**) { ++accesses; }
void __tsan_vptr_update(void**, void*) { ++accesses; }
void __tsan_atomic_thread_fence(int) { step(); }
void __tsan_atomic_signal_fence(int) {}
// Pieces of stack, of which the sanitizer is told.
void* __tsan_get_current_fiber() { return nullptr; }
void* __tsan_create_fiber(unsigned) { return nullptr; }
void __tsan_destroy_fiber(void*) {}
void __tsan_switch_to_fiber(void*, unsigned) {}
SIMULATION_ATOMICS(8, std::uint8_t)
SIMULATION_ATOMICS(16, std::uint16_t)
SIMULATION_ATOMICS(32, std::uint32_t)
SIMULATION_ATOMICS(64, std::uint64_t)
}
#pragma GCC diagnostic pop
