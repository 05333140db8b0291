#pragma once

namespace channels::detail {

/// While it lives, memory is kept back for when there is none: the first `new` of any thread that
/// finds none gets what was kept. For nlohmann's documents, whose destructors allocate, so that a
/// lack of memory in the middle of one would end the program without a word.
class memory_reserve {
 public:
  memory_reserve();
  memory_reserve(const memory_reserve&) = delete;
  memory_reserve& operator=(const memory_reserve&) = delete;
  ~memory_reserve();
};

}  // namespace channels::detail
