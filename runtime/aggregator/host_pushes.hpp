#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "runtime/aggregator/element_copies.hpp"
#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// Elements that the host pushed before the run (the paper's init node). Invariant: of each stack
/// the first `pushed_` bytes of `stack_model::pushed` are in a channel, and `left_` is whether
/// there are more.
class host_pushes {
 public:
  host_pushes(const run_context& run, const element_copies& copies)
      : run_(run), copies_(copies), pushed_(run.model.stacks.size(), 0) {}

  [[nodiscard]] bool left() const { return left_; }
  /// Pushes as many elements as there is room for. True if any. Throws `channels::error` if there
  /// is no memory for a channel.
  bool push();

 private:
  bool push_to(std::uint32_t stack);

  const run_context& run_;
  const element_copies& copies_;
  std::vector<std::size_t> pushed_;  ///< by stack: bytes
  bool left_ = true;
};

}  // namespace channels::detail
