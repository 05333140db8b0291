#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // uintptr_t
#include <string>   // string
#include <vector>   // vector

/// What a program's tasks may not touch on a device that reads only some of the host's memory: for
/// the message after a run that did. The functions are for the host.
namespace channels::cilk {

/// Memory from one address to another.
struct memory_range {
  std::uintptr_t begin;
  std::uintptr_t end;

  [[nodiscard]] bool holds(std::uintptr_t address) const {
    return begin <= address && address < end;
  }
};

/// Which words of a call's arguments point to memory of the host that the device does not see:
/// `seen` is what it sees. "" if none does, as far as the arguments show.
[[nodiscard]] std::string unseen_arguments(const void* arguments, std::size_t bytes,
                                           const std::vector<memory_range>& seen);

}  // namespace channels::cilk
