#pragma once

#include <cstddef>  // byte
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// Copies elements between the host's memory and channels, wherever the device has those. It has no
/// state of its own. Only the aggregator's thread uses it.
class element_copies {
 public:
  /// `memory`: the channel memory of the run.
  element_copies(const run_context& run, const channel_memory& memory)
      : run_(run), memory_(memory) {}

  /// Stores `elements`, one after the other, with the tickets of `r`. Batches submitted later see
  /// them.
  void store(const channel_state& c, run r, const std::byte* elements) const;
  /// Appends the elements with these tickets to `to`, in the order of the tickets, which it sorts.
  /// Nothing is in flight.
  void load(const channel_state& c, std::vector<std::uint64_t>& tickets,
            std::vector<std::byte>& to) const;

 private:
  [[nodiscard]] std::size_t start_of(const channel_state& c) const {
    return static_cast<std::size_t>(c.bound.view.data() - memory_.data);
  }
  [[nodiscard]] channel_view on_host(const channel_state& c) const;
  void download(const channel_state& c, const std::vector<std::uint64_t>& tickets) const;
  template <class Visit>
  void each_piece(const channel_state& c, run r, const Visit& visit) const;

  const run_context& run_;
  const channel_memory& memory_;
};

}  // namespace channels::detail
