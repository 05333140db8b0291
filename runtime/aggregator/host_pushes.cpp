#include "runtime/aggregator/host_pushes.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min, any_of

#include "channels/error.hpp"
#include "runtime/aggregator/feed_buffer.hpp"

namespace channels::detail {

bool host_pushes::push() {
  left_ = false;
  bool any = false;
  for (std::uint32_t i = 0; i < run_.model.stacks.size(); ++i) {
    const auto& feed = feeds_[i];
    if (!is_pushed(i)) any |= push_to(i);
    if (is_pushed(i) && feed != nullptr && feed->holds() != 0) any |= feed_to(i);
    left_ |= !is_pushed(i) || (feed != nullptr && feed->is_open());
  }
  return any;
}

void host_pushes::tell(std::uint64_t progress) const {
  for (const auto& feed : feeds_) {
    if (feed != nullptr) feed->tell(progress);
  }
}

bool host_pushes::only_fed() const {
  for (std::uint32_t i = 0; i < run_.model.stacks.size(); ++i) {
    if (!is_pushed(i)) return false;
  }
  return left_;
}

void host_pushes::wait_for_feed(std::chrono::milliseconds longest) const {
  for (const auto& feed : feeds_) {
    if (feed != nullptr && feed->is_open()) return feed->wait_for_elements(longest);
  }
}

bool host_pushes::push_to(std::uint32_t stack) {
  const stack_model& s = run_.model.stacks[stack];
  std::size_t& pushed = pushed_[stack];
  return put(stack, (s.pushed.size() - pushed) / s.element_bytes, [&](std::uint32_t count) {
    const std::byte* const first = s.pushed.data() + pushed;
    pushed += count * s.element_bytes;
    return first;
  });
}

bool host_pushes::feed_to(std::uint32_t stack) {
  feed_buffer& from = *feeds_[stack];
  return put(stack, from.holds(), [&](std::uint32_t count) {
    fed_.clear();
    from.take(count, fed_);
    return static_cast<const std::byte*>(fed_.data());
  });
}

/// Puts as many of `most` elements into the stack's first channel as there is room for:
/// `take(count)` is where they are, and they count as pushed then. True if any.
template <class Take>
bool host_pushes::put(std::uint32_t stack, std::size_t most, const Take& take) {
  channel_state* const c = run_.table.prepare(stack, 0, most);
  if (c == nullptr) {
    throw error(
        fmt::format("{}: no memory for a channel at level 0; {} bytes are not enough, {} are "
                    "needed at least: "
                    "set CHANNELS_MEMORY higher",
                    run_.model.stacks[stack].name, run_.memory_bytes,
                    minimum_bytes(run_.model, run_.options, 2)));
  }
  run_.table.reclaim(*c);
  const run r = c->bound.view.talloc_between(
      1, static_cast<std::uint32_t>(std::min<std::size_t>(most, 1U << 20U)));
  copies_.store(*c, r, take(r.count));
  run_.table.enqueue(*c, r);
  run_.table.refresh(*c);
  return static_cast<bool>(r);
}

}  // namespace channels::detail
