#pragma once

#include <cstddef>   // size_t
#include <cstdint>   // fixed-width integers
#include <map>       // map
#include <optional>  // optional
#include <set>       // set
#include <utility>   // pair

namespace channels::detail {

/// A piece of device memory, as an offset from its start.
struct memory_block {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

/// Hands out pieces of one range of device memory: best fit, and free neighbours are joined.
/// Invariant: each byte is in a piece that was taken or in exactly one free piece. What is free is
/// noted beside the memory and not in it, since the host may not be able to touch it. Only the
/// aggregator's thread uses it.
class memory_pool {
 public:
  explicit memory_pool(std::size_t bytes);

  /// `bytes` rounded up to cache lines, or nothing if no free piece is long enough.
  [[nodiscard]] std::optional<memory_block> take(std::size_t bytes);
  void give_back(memory_block block);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  /// The most bytes in use at one time.
  [[nodiscard]] std::size_t high_water() const { return high_water_; }

 private:
  void add_free(std::size_t offset, std::size_t bytes);
  void remove_free(std::map<std::size_t, std::size_t>::iterator piece);

  std::size_t size_;
  std::size_t in_use_ = 0;
  std::size_t high_water_ = 0;
  std::map<std::size_t, std::size_t> by_offset_;           ///< free pieces: offset to length
  std::set<std::pair<std::size_t, std::size_t>> by_size_;  ///< the same: length and offset
};

}  // namespace channels::detail
