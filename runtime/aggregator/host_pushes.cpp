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
  channel_state* c = nullptr;
  const run r = make_room(stack, (s.pushed.size() - pushed_[stack]) / s.element_bytes, c);
  copies_.store(*c, r, s.pushed.data() + pushed_[stack]);
  pushed_[stack] += r.count * s.element_bytes;
  run_.table.enqueue(*c, r);
  run_.table.refresh(*c);
  return static_cast<bool>(r);
}

bool host_pushes::feed_to(std::uint32_t stack) {
  feed_buffer& from = *feeds_[stack];
  channel_state* c = nullptr;
  const run r = make_room(stack, from.holds(), c);
  fed_.clear();
  from.take(r.count, fed_);
  copies_.store(*c, r, fed_.data());
  run_.table.enqueue(*c, r);
  run_.table.refresh(*c);
  return static_cast<bool>(r);
}

/// Places for `most` elements, or for fewer, in the channel `in` of the stack.
run host_pushes::make_room(std::uint32_t stack, std::size_t most, channel_state*& in) {
  in = run_.table.prepare(stack, 0, most);
  if (in == nullptr) {
    throw error(
        fmt::format("{}: no memory for a channel at level 0; {} bytes are not enough, {} are "
                    "needed at least: "
                    "set CHANNELS_MEMORY higher",
                    run_.model.stacks[stack].name, run_.memory_bytes,
                    minimum_bytes(run_.model, run_.options, 2)));
  }
  run_.table.reclaim(*in);
  return in->bound.view.talloc_between(
      1, static_cast<std::uint32_t>(std::min<std::size_t>(most, 1U << 20U)));
}

}  // namespace channels::detail
