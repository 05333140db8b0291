#pragma once

#include "channels/detail/batch.hpp"
#include "channels/host/compute_unit.hpp"

namespace channels::host {

/// What is left of a port's block of reserved elements. It is apart from the port, and the port's
/// slow functions get it by value, so that it is in registers in the loop over lanes.
struct cursor {
  std::uint64_t next = 0;
  std::uint64_t end = 0;

  [[nodiscard]] CHANNELS_INLINE bool has(std::uint32_t count) const { return end - next >= count; }
};

/// Where a compute unit writes to a channel. It has a block of reserved elements and hands them out
/// one by one, so that one atomic serves hundreds of lanes (paper, section 3.2.2, applied to the
/// compute unit instead of the wavefront). What it handed out is enqueued together.
///
/// A port without a channel never has room.
class port {
 public:
  port() = default;
  /// `enqueues`: false for frames of the counted rule, which are not enqueued.
  explicit port(const bound_channel* to, bool enqueues = true) : to_(to), enqueues_(enqueues) {}

  [[nodiscard]] const bound_channel* target() const { return to_; }
  [[nodiscard]] std::byte* data() const { return to_ == nullptr ? nullptr : to_->view.data(); }
  [[nodiscard]] std::uint32_t mask() const { return to_ == nullptr ? 0 : to_->view.capacity() - 1; }

  /// Whether a forced yield may refuse what is asked for.
  enum refusal : bool { always, may_refuse };

  /// Tries to bring the block to `count` elements, and asks the channel for up to `most`. Returns a
  /// block that has them, or `c` itself if there is no room now.
  [[nodiscard]] CHANNELS_COLD cursor refill(compute_unit& cu, cursor c, std::uint32_t count,
                                            std::uint64_t most, refusal refuse = may_refuse) {
    if (to_ == nullptr) return c;
    if (cu.refuse_share != 0 && refuse == may_refuse) {
      if (cu.refuses()) return c;
      most = count;  // short blocks, so that the next reservation may be refused too
    }
    const auto left = static_cast<std::uint32_t>(c.end - c.next);
    if (most > channel_geometry::largest_capacity) most = channel_geometry::largest_capacity;
    const auto wanted = most < count ? count : static_cast<std::uint32_t>(most);
    const run more = to_->view.talloc_between(count - left, wanted - left);
    if (!more) return c;
    ++cu.counters.blocks;
    if (more.first == c.end && left != 0) return {c.next, more.end()};
    if (more.count < count) {  // others reserved in between, and the two pieces do not join
      to_->view.give_back(more);
      return c;
    }
    if (more.first != c.next) {
      close(c);
      first_ = more.first;
    }
    return {more.first, more.end()};
  }

  /// Enqueues what was handed out before `next`.
  void publish(std::uint64_t next) {
    handed_out_ += next - first_;
    if (enqueues_ && next != first_)
      to_->view.enq({first_, static_cast<std::uint32_t>(next - first_)});
    first_ = next;
  }
  /// Enqueues what was handed out except the last element, which is not ready.
  CHANNELS_COLD void leave_out_last(std::uint64_t next) {
    publish(next - 1);
    first_ = next;
  }
  /// Enqueues what was handed out, and gives the rest of the block back.
  void close(cursor c) {
    if (to_ == nullptr) return;
    publish(c.next);
    if (c.next != c.end) to_->view.give_back({c.next, static_cast<std::uint32_t>(c.end - c.next)});
  }

  /// Number of elements handed out and enqueued so far.
  [[nodiscard]] std::uint64_t handed_out() const { return handed_out_; }

 private:
  const bound_channel* to_ = nullptr;
  std::uint64_t first_ = 0;  ///< the first element handed out and not enqueued
  std::uint64_t handed_out_ = 0;
  bool enqueues_ = true;
};

}  // namespace channels::host
