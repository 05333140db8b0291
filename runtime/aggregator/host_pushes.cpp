#include "runtime/aggregator/host_pushes.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min

#include "channels/error.hpp"

namespace channels::detail {

bool host_pushes::push() {
  left_ = false;
  bool any = false;
  for (std::uint32_t i = 0; i < run_.model.stacks.size(); ++i) {
    if (pushed_[i] == run_.model.stacks[i].pushed.size()) continue;
    any |= push_to(i);
    left_ |= pushed_[i] != run_.model.stacks[i].pushed.size();
  }
  return any;
}

bool host_pushes::push_to(std::uint32_t stack) {
  const stack_model& s = run_.model.stacks[stack];
  const std::size_t left = (s.pushed.size() - pushed_[stack]) / s.element_bytes;
  channel_state* const c = run_.table.prepare(stack, 0, left);
  if (c == nullptr) {
    throw error(
        fmt::format("{}: no memory for a channel at level 0; {} bytes are not enough, {} are "
                    "needed at least: "
                    "set CHANNELS_MEMORY higher",
                    s.name, run_.memory_bytes, minimum_bytes(run_.model, run_.options, 2)));
  }
  run_.table.reclaim(*c);
  const run r = c->bound.view.talloc_between(
      1, static_cast<std::uint32_t>(std::min<std::size_t>(left, 1U << 20U)));
  store(*c, r, s.pushed.data() + pushed_[stack]);
  pushed_[stack] += r.count * s.element_bytes;
  run_.table.enqueue(*c, r);
  run_.table.refresh(*c);
  return static_cast<bool>(r);
}

/// Stores `elements` with the tickets of `r`: in the host's part of the memory, from which the
/// device copies them.
void host_pushes::store(channel_state& c, run r, const std::byte* elements) {
  const stack_model& s = run_.model.stacks[c.stack];
  const channel_view& view = c.bound.view;
  const auto from_start = static_cast<std::size_t>(view.data() - memory_.data);
  const channel_view here(
      memory_.control + from_start - channel_view::zeroed_bytes(c.geometry, view.has_control()),
      c.geometry, view.has_control());
  for (std::uint32_t k = 0; k < r.count; ++k)
    s.store(here, r.first + k, elements + k * s.element_bytes);
  while (r) {
    const std::uint32_t slot = view.slot(r.first);
    const std::uint32_t count = std::min(r.count, view.capacity() - slot);
    s.each_piece(view.capacity(), slot, count, [&](std::size_t offset, std::size_t bytes) {
      run_.on.upload(memory_, from_start + offset, bytes);
    });
    r.first += count;
    r.count -= count;
  }
}

}  // namespace channels::detail
