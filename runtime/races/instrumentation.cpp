// What compilers call with -fsanitize=thread at each access. They are given this library in the
// place of the thread sanitizer's.

#include <cstring>  // memcpy, memmove, memset

#include "runtime/races/detector.hpp"

using namespace channels::races;

namespace {
std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }
}  // namespace

#define CHANNELS_RACES_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define CHANNELS_RACES_ACCESS(prefix, bytes)                                                  \
  void __tsan_##prefix##read##bytes(void* at) { check<bytes, false>(at, CHANNELS_RACES_PC); } \
  void __tsan_##prefix##write##bytes(void* at) { check<bytes, true>(at, CHANNELS_RACES_PC); } \
  void __tsan_##prefix##read_write##bytes(void* at) { check<bytes, true>(at, CHANNELS_RACES_PC); }
#define CHANNELS_RACES_PC_ACCESS(bytes)                                                     \
  void __tsan_read##bytes##_pc(void* at, void* pc) { check<bytes, false>(at, number(pc)); } \
  void __tsan_write##bytes##_pc(void* at, void* pc) { check<bytes, true>(at, number(pc)); }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void* /*caller*/) {}
void __tsan_func_exit() {}

CHANNELS_RACES_ACCESS(, 1)
CHANNELS_RACES_ACCESS(, 2)
CHANNELS_RACES_ACCESS(, 4)
CHANNELS_RACES_ACCESS(, 8)
CHANNELS_RACES_ACCESS(, 16)
CHANNELS_RACES_ACCESS(unaligned_, 1)
CHANNELS_RACES_ACCESS(unaligned_, 2)
CHANNELS_RACES_ACCESS(unaligned_, 4)
CHANNELS_RACES_ACCESS(unaligned_, 8)
CHANNELS_RACES_ACCESS(unaligned_, 16)
CHANNELS_RACES_ACCESS(volatile_, 1)
CHANNELS_RACES_ACCESS(volatile_, 2)
CHANNELS_RACES_ACCESS(volatile_, 4)
CHANNELS_RACES_ACCESS(volatile_, 8)
CHANNELS_RACES_ACCESS(volatile_, 16)
CHANNELS_RACES_PC_ACCESS(1)
CHANNELS_RACES_PC_ACCESS(2)
CHANNELS_RACES_PC_ACCESS(4)
CHANNELS_RACES_PC_ACCESS(8)
CHANNELS_RACES_PC_ACCESS(16)

void __tsan_read_range(void* at, std::size_t bytes) {
  check_range(number(at), bytes, CHANNELS_RACES_PC, access_kind::read);
}
void __tsan_write_range(void* at, std::size_t bytes) {
  check_range(number(at), bytes, CHANNELS_RACES_PC, access_kind::write);
}
void __tsan_vptr_read(void** at) { check<8, false>(at, CHANNELS_RACES_PC); }
// A constructor that sets the same pointer again changes nothing.
void __tsan_vptr_update(void** at, void* value) {
  if (*at != value) check<8, true>(at, CHANNELS_RACES_PC);
}

void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  check_range(number(from), bytes, CHANNELS_RACES_PC, access_kind::read);
  check_range(number(to), bytes, CHANNELS_RACES_PC, access_kind::write);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  check_range(number(from), bytes, CHANNELS_RACES_PC, access_kind::read);
  check_range(number(to), bytes, CHANNELS_RACES_PC, access_kind::write);
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  check_range(number(to), bytes, CHANNELS_RACES_PC, access_kind::write);
  return std::memset(to, value, bytes);
}

void __tsan_atomic_thread_fence(int /*order*/) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int /*order*/) {}

// All of them are sequentially consistent, which is at least what the program asks for.
#define CHANNELS_RACES_RMW(bits, type, name, builtin)                           \
  type __tsan_atomic##bits##_##name(volatile type* at, type value, int) {       \
    check_range(number(const_cast<type*>(at)), sizeof(type), CHANNELS_RACES_PC, \
                access_kind::atomic_write);                                     \
    return builtin(at, value, __ATOMIC_SEQ_CST);                                \
  }
#define CHANNELS_RACES_ATOMIC(bits, type)                                                          \
  type __tsan_atomic##bits##_load(const volatile type* at, int) {                                  \
    check_range(number(const_cast<type*>(at)), sizeof(type), CHANNELS_RACES_PC,                    \
                access_kind::atomic_read);                                                         \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile type* at, type value, int) {                           \
    check_range(number(const_cast<type*>(at)), sizeof(type), CHANNELS_RACES_PC,                    \
                access_kind::atomic_write);                                                        \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                \
  CHANNELS_RACES_RMW(bits, type, exchange, __atomic_exchange_n)                                    \
  CHANNELS_RACES_RMW(bits, type, fetch_add, __atomic_fetch_add)                                    \
  CHANNELS_RACES_RMW(bits, type, fetch_sub, __atomic_fetch_sub)                                    \
  CHANNELS_RACES_RMW(bits, type, fetch_and, __atomic_fetch_and)                                    \
  CHANNELS_RACES_RMW(bits, type, fetch_or, __atomic_fetch_or)                                      \
  CHANNELS_RACES_RMW(bits, type, fetch_xor, __atomic_fetch_xor)                                    \
  CHANNELS_RACES_RMW(bits, type, fetch_nand, __atomic_fetch_nand)                                  \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type* at, type* expected,             \
                                                    type wanted, int, int) {                       \
    check_range(number(const_cast<type*>(at)), sizeof(type), CHANNELS_RACES_PC,                    \
                access_kind::atomic_write);                                                        \
    return __atomic_compare_exchange_n(at, expected, wanted, false, __ATOMIC_SEQ_CST,              \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type* at, type* expected, type wanted,  \
                                                  int, int) {                                      \
    check_range(number(const_cast<type*>(at)), sizeof(type), CHANNELS_RACES_PC,                    \
                access_kind::atomic_write);                                                        \
    return __atomic_compare_exchange_n(at, expected, wanted, false, __ATOMIC_SEQ_CST,              \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* at, type expected, type wanted,   \
                                                  int, int) {                                      \
    check_range(number(const_cast<type*>(at)), sizeof(type), CHANNELS_RACES_PC,                    \
                access_kind::atomic_write);                                                        \
    __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                               \
  }

CHANNELS_RACES_ATOMIC(8, std::uint8_t)
CHANNELS_RACES_ATOMIC(16, std::uint16_t)
CHANNELS_RACES_ATOMIC(32, std::uint32_t)
CHANNELS_RACES_ATOMIC(64, std::uint64_t)
}
#pragma GCC diagnostic pop
