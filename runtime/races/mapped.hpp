#pragma once

#include <sys/mman.h>  // mmap

#include <cstddef>  // size_t

namespace channels::races {

/// An array of zeros for the detector itself. Not from the program's malloc, which is watched.
/// `munmap` gives it back.
template <class T>
T* mapped_array(std::size_t count) {
  void* const memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) __builtin_trap();
  return static_cast<T*>(memory);
}

}  // namespace channels::races
