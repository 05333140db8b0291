#pragma once

#include <chrono>   // milliseconds
#include <cstddef>  // byte, size_t
#include <cstdint>  // fixed-width integers
#include <memory>   // shared_ptr
#include <vector>   // vector

#include "runtime/aggregator/element_copies.hpp"
#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// Elements that come from the host: those that it pushed before the run (the paper's init node),
/// and those that it feeds to the run. Invariant: of each stack the first `pushed_` bytes of
/// `stack_model::pushed` are in a channel, and `left_` is whether more come.
class host_pushes {
 public:
  host_pushes(const run_context& run, const element_copies& copies)
      : run_(run), copies_(copies), pushed_(run.model.stacks.size(), 0) {
    for (const stack_model& s : run.model.stacks) feeds_.push_back(s.feed);
  }

  /// Whether elements wait for room, or a feed is open.
  [[nodiscard]] bool left() const { return left_; }
  /// Lets who waits to feed the run know how far it is.
  void tell(std::uint64_t progress) const;
  /// Whether all that is left is to come from a feed.
  [[nodiscard]] bool only_fed() const;
  /// Until a feed has elements or is closed, for `longest` at most.
  void wait_for_feed(std::chrono::milliseconds longest) const;
  /// Pushes as many elements as there is room for. True if any. Throws `channels::error` if there
  /// is no memory for a channel.
  bool push();

 private:
  bool push_to(std::uint32_t stack);
  bool feed_to(std::uint32_t stack);
  template <class Take>
  bool put(std::uint32_t stack, std::size_t most, const Take& take);
  bool is_pushed(std::uint32_t stack) const {
    return pushed_[stack] == run_.model.stacks[stack].pushed.size();
  }

  const run_context& run_;
  const element_copies& copies_;
  std::vector<std::size_t> pushed_;  ///< by stack: bytes
  /// By stack; null without one. The graph forgets its own when a run is given up, and this goes
  /// on.
  std::vector<std::shared_ptr<feed_buffer>> feeds_;
  std::vector<std::byte> fed_;  ///< on their way from a feed to a channel
  bool left_ = true;
};

}  // namespace channels::detail
