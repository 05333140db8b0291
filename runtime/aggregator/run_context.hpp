#pragma once

#include <cstddef>  // size_t

#include "channels/detail/device.hpp"
#include "channels/detail/model.hpp"
#include "channels/settings.hpp"
#include "runtime/aggregator/channel_table.hpp"

namespace channels::detail {

/// What the parts of the aggregator share of one run: references that stay valid until it ends.
struct run_context {
  device& on;
  const graph_model& model;
  const settings& options;
  channel_table& table;
  std::size_t memory_bytes;  ///< of channels and restart contexts

  /// The kernel node that consumes `c`.
  [[nodiscard]] const node_model& node_of(const channel_state& c) const {
    return model.nodes[node_number(c)];
  }
  [[nodiscard]] std::size_t node_number(const channel_state& c) const {
    return static_cast<std::size_t>(model.stacks[c.stack].consumer);
  }
  /// Bytes of channel memory that are taken, with what restart contexts take.
  [[nodiscard]] std::size_t memory_in_use() const {
    return table.pool().in_use() + (memory_bytes - table.pool().size());
  }
};

}  // namespace channels::detail
