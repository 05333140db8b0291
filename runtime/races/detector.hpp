#pragma once

#include "runtime/races/shadow.hpp"
#include "runtime/races/strands.hpp"

#include <bit>  // countr_zero

namespace channels::races {

/// The detector of a process. It looks at the thread that runs main, and only there `on` is set.
struct detector {
  strand_stack strands;
  shadow memory;
  shadow atomics;  ///< atomic accesses, which race with others and not with each other
  std::uintptr_t stack_top = 0;
  unsigned as_atomic = 0;  ///< accesses race with others, and not with each other (as_atomic)
  bool exact = false;      ///< atomic accesses are known, or may come

  /// Whether an access of this page needs more than its cells.
  [[nodiscard]] bool needs_more(std::uintptr_t address) const {
    return exact && (as_atomic != 0 || atomics.entry(address) != 0);
  }
};

extern detector the_detector;
/// Whether this thread's accesses are looked at.
extern __thread bool on __attribute__((tls_model("initial-exec")));

enum class access_kind { read, write, atomic_read, atomic_write, freed };

/// An access of some bytes by the code at `pc`, which is compared with all that is known of them.
void check_range(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc, access_kind kind);

/// Forgets what is known about memory that is given back.
void forget(std::uintptr_t address, std::size_t bytes);

/// The same for cells of one page. Returns nothing if all is serial, which it nearly always is.
void check_cells(cell* first, cell* last, std::uintptr_t address, unsigned shift, std::uintptr_t pc,
                 access_kind kind);

/// A program's code by a number of 32 bits, and back.
[[nodiscard]] std::uint32_t far_code_of(std::uintptr_t pc);
[[nodiscard]] std::uintptr_t address_of(std::uint32_t code);

/// Whether `when` may run in parallel with the current strand, as far as two comparisons tell.
inline bool may_be_parallel(const strand_stack& s, moment when) {
  return when < s.last && when >= s.first;
}
/// Whether it was the newest open child's access of its own stack, which is gone and is others'
/// now.
inline bool was_in_dead_stack(const strand_stack& s, moment when, std::uintptr_t address) {
  const auto stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return when >= s.top_begin && address - stack < s.top_dead - stack && s.top_dead > stack;
}

extern std::uintptr_t code_base;

inline std::uint32_t code_of(std::uintptr_t pc) {
  if (__builtin_expect(pc - code_base <= 0x7fffffffU, 1))
    return static_cast<std::uint32_t>(pc - code_base);
  return far_code_of(pc);
}

/// The code of installed headers' functions, which are no place that a user looks at (the
/// compiler's plugin, compiler/race_pass, puts it together).
struct library_code {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;
};
extern library_code of_library;
/// The user's code that called the library's function that runs now; 0 outside of these.
extern __thread std::uintptr_t library_caller __attribute__((tls_model("initial-exec")));

/// Code of the user's that an access at `pc` counts to.
inline std::uintptr_t users_code(std::uintptr_t pc) {
  if (__builtin_expect(pc - of_library.begin >= of_library.bytes, 1)) return pc;
  return library_caller != 0 ? library_caller : pc;
}

/// A read or write of `Bytes` bytes.
template <unsigned Bytes, bool Write>
inline __attribute__((always_inline)) void check(const void* where, std::uintptr_t pc) {
  if (!on) return;
  detector& d = the_detector;
  const auto address = reinterpret_cast<std::uintptr_t>(where);
  const std::uintptr_t known = d.memory.entry(address);
  const unsigned shift = shadow::shift(known);
  const std::uintptr_t inside = address & (shadow::page_bytes - 1);
  constexpr access_kind kind = Write ? access_kind::write : access_kind::read;
  if (__builtin_expect(known == 0 || (1U << shift) > Bytes || d.needs_more(address) ||
                           (inside & ((1U << shift) - 1)) != 0 ||
                           inside > shadow::page_bytes - Bytes || pc - code_base > 0x7fffffffU ||
                           pc - of_library.begin < of_library.bytes,
                       0)) {
    return check_range(address, Bytes, pc, kind);
  }
  cell* const first = shadow::cells(known) + (inside >> shift);
  cell* const last = first + (Bytes >> shift);
  const noted_access now = {d.strands.now, static_cast<std::uint32_t>(pc - code_base)};
  for (cell* one = first; one != last; ++one) {
    if (__builtin_expect((may_be_parallel(d.strands, one->writer.when) &&
                          !was_in_dead_stack(d.strands, one->writer.when, address)) ||
                             (may_be_parallel(d.strands, one->reader.when) &&
                              !was_in_dead_stack(d.strands, one->reader.when, address)),
                         0)) {
      return check_cells(one, last, address + (static_cast<std::uintptr_t>(one - first) << shift),
                         shift, pc, kind);
    }
    if constexpr (Write) {
      one->writer = now;
    } else {
      one->reader = now;
    }
  }
}

/// A race that was found (report.cpp).
struct race {
  access_kind earlier;
  access_kind later;
  std::uintptr_t earlier_code;
  std::uintptr_t later_code;
  std::uintptr_t address;
  open_child child;
};
void report(const race& found);

/// The block of the heap that holds an address (heap.cpp).
struct known_block {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uintptr_t code = 0;
};
[[nodiscard]] known_block block_at(std::uintptr_t address);

/// Accesses in this scope race with accesses outside of such scopes, and not with each other.
class as_atomic {
 public:
  as_atomic() {
    ++the_detector.as_atomic;
    the_detector.exact = true;
  }
  as_atomic(const as_atomic&) = delete;
  as_atomic& operator=(const as_atomic&) = delete;
  ~as_atomic() { --the_detector.as_atomic; }
};

/// Nothing in this scope is looked at.
class unwatched {
 public:
  unwatched() : was_(on) { on = false; }
  unwatched(const unwatched&) = delete;
  unwatched& operator=(const unwatched&) = delete;
  ~unwatched() { on = was_; }

 private:
  bool was_;
};

}  // namespace channels::races
