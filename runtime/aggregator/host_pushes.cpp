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
  copies_.store(*c, r, s.pushed.data() + pushed_[stack]);
  pushed_[stack] += r.count * s.element_bytes;
  run_.table.enqueue(*c, r);
  run_.table.refresh(*c);
  return static_cast<bool>(r);
}

}  // namespace channels::detail
