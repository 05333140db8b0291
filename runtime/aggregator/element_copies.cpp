#include "runtime/aggregator/element_copies.hpp"

#include <algorithm>  // min, sort
#include <cstring>    // memcpy

namespace channels::detail {
namespace {

/// The runs of neighbours among tickets, which are sorted.
std::vector<run> runs_of(const std::vector<std::uint64_t>& tickets) {
  std::vector<run> runs;
  for (const std::uint64_t ticket : tickets) {
    if (runs.empty() || runs.back().end() != ticket) runs.push_back({ticket, 0});
    ++runs.back().count;
  }
  return runs;
}

}  // namespace

/// The channel with its data where the host has them: the device copies from there and to there.
channel_view element_copies::on_host(const channel_state& c) const {
  const bool has_control = c.bound.view.has_control();
  return {memory_.control + start_of(c) - channel_view::zeroed_bytes(c.geometry, has_control),
          c.geometry, has_control};
}

/// Calls `visit(offset, bytes)` for the pieces of the channel memory that the elements of `r` take.
template <class Visit>
void element_copies::each_piece(const channel_state& c, run r, const Visit& visit) const {
  const channel_view& view = c.bound.view;
  const std::size_t start = start_of(c);
  while (r) {
    const std::uint32_t slot = view.slot(r.first);
    const std::uint32_t count = std::min(r.count, view.capacity() - slot);
    const stack_model& s = run_.model.stacks[c.stack];
    if (s.each_piece == nullptr) {
      visit(start + slot * s.element_bytes, count * s.element_bytes);
    } else {
      s.each_piece(view.capacity(), slot, count,
                   [&](std::size_t offset, std::size_t bytes) { visit(start + offset, bytes); });
    }
    r.first += count;
    r.count -= count;
  }
}

void element_copies::store(const channel_state& c, run r, const std::byte* elements) const {
  const stack_model& s = run_.model.stacks[c.stack];
  const channel_view here = on_host(c);
  if (s.by_record) {
    const std::uint32_t until_end = std::min(r.count, here.capacity() - here.slot(r.first));
    std::memcpy(here.data() + here.slot(r.first) * s.element_bytes, elements,
                until_end * s.element_bytes);
    std::memcpy(here.data(), elements + until_end * s.element_bytes,
                (r.count - until_end) * s.element_bytes);
  } else {
    for (std::uint32_t k = 0; k < r.count; ++k)
      s.store(here, r.first + k, elements + k * s.element_bytes);
  }
  each_piece(
      c, r, [&](std::size_t offset, std::size_t bytes) { run_.on.upload(memory_, offset, bytes); });
}

void element_copies::load(const channel_state& c, std::vector<std::uint64_t>& tickets,
                          std::vector<std::byte>& to) const {
  const stack_model& s = run_.model.stacks[c.stack];
  std::sort(tickets.begin(), tickets.end());
  download(c, tickets);
  const channel_view here = on_host(c);
  std::size_t at = to.size();
  to.resize(at + tickets.size() * s.element_bytes);
  for (const std::uint64_t ticket : tickets) {
    s.load(here, ticket, to.data() + at);
    at += s.element_bytes;
  }
}

void element_copies::download(const channel_state& c,
                              const std::vector<std::uint64_t>& tickets) const {
  // A copy takes as long to begin as some hundred kilobytes take.
  constexpr std::size_t most_pieces = 16;
  const std::vector<run> runs = runs_of(tickets);
  if (runs.size() > most_pieces) {
    const std::size_t all = run_.model.stacks[c.stack].data_bytes(c.geometry.capacity);
    run_.on.download(memory_, start_of(c), all);
    return;
  }
  for (const run& r : runs) {
    each_piece(c, r, [&](std::size_t offset, std::size_t bytes) {
      run_.on.download(memory_, offset, bytes);
    });
  }
}

}  // namespace channels::detail
