#pragma once

#include <algorithm>  // all_of, min
#include <cstdint>    // uint64_t
#include <deque>      // deque
#include <stdexcept>  // logic_error
#include <string>     // to_string

#include "channels/detail/channel_view.hpp"

namespace channels::testing {

/// What a channel does, said plainly and for one thread: five states, a queue of ready runs.
class reference_channel {
 public:
  enum class state { available, reserved, ready, dispatched, done };

  reference_channel(std::uint32_t capacity, std::uint32_t group)
      : capacity_(capacity), group_(group) {}

  run talloc_between(std::uint32_t least, std::uint32_t most) {
    const std::uint64_t room = capacity_ - live();
    if (room < least || most == 0) return {};
    return reserve(static_cast<std::uint32_t>(std::min<std::uint64_t>(room, most)));
  }

  run talloc_contiguous(std::uint32_t count) {
    if (count == 0 || count > capacity_) return {};
    const auto until_end = static_cast<std::uint32_t>(capacity_ - tail() % capacity_);
    const std::uint32_t skipped = until_end < count ? until_end : 0;
    const bool fits = live() + skipped + count <= capacity_;
    if (fits || (live() == 0 && skipped != 0)) {
      move(reserve(skipped), state::reserved, state::done);
    }
    return fits ? reserve(count) : run{};
  }

  void give_back(run r) {
    if (r.end() != tail()) return move(r, state::reserved, state::done);
    move(r, state::reserved, state::available);
    live_.resize(live_.size() - r.count);
  }

  void enq(run r) {
    move(r, state::reserved, state::ready);
    ready_.push_back(r);
  }

  [[nodiscard]] run peek() const { return ready_.empty() ? run{} : ready_.front(); }

  run deq() {
    const run r = peek();
    if (!r) return r;
    ready_.pop_front();
    move(r, state::ready, state::dispatched);
    return r;
  }

  void tfree(run r) {
    for (std::uint32_t i = 0; i < r.count; ++i) {
      const run one{r.first + i, 1};
      move(one, of(one.first), state::done);
    }
  }

  /// Whole groups of which all is done; and the last group too, once nothing reserved is not done.
  std::uint64_t reclaim() {
    const std::uint64_t before = head_;
    while (!live_.empty()) {
      const auto end =
          live_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(group_, live_.size()));
      if (!std::all_of(live_.begin(), end, [](state s) { return s == state::done; })) break;
      live_.erase(live_.begin(), end);
      head_ += group_;
    }
    return head_ - before;
  }

  [[nodiscard]] state of(std::uint64_t ticket) const {
    return live_.at(static_cast<std::size_t>(ticket - head_));
  }
  [[nodiscard]] std::uint64_t live() const { return live_.size(); }
  [[nodiscard]] std::uint64_t tail() const { return head_ + live_.size(); }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }

 private:
  run reserve(std::uint32_t count) {
    const run r{tail(), count};
    live_.resize(live_.size() + count, state::reserved);
    return r;
  }

  void move(run r, state from, state to) {
    for (std::uint64_t t = r.first; t != r.end(); ++t) {
      state& s = live_.at(static_cast<std::size_t>(t - head_));
      const bool forward = s == from && (to > from || to == state::available);
      if (!forward) throw std::logic_error("ticket " + std::to_string(t) + " moved wrongly");
      s = to;
    }
  }

  std::uint32_t capacity_;
  std::uint32_t group_;
  std::uint64_t head_ = 0;
  std::deque<state> live_;  // from head to tail
  std::deque<run> ready_;
};

}  // namespace channels::testing
