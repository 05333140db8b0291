#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "runtime/aggregator/aggregator.hpp"

namespace channels::detail {

/// What the aggregator keeps of a batch while that is on its way.
struct aggregator::flight_record : flight {
  channel_state* source = nullptr;
  kind what = kind::fresh;
  std::uint32_t number = 0;  ///< of those that were on their way at a time
  bool returned = false;     ///< an aggregator on the device dispatched it
  std::vector<channel_state*> outputs;
  std::vector<const bound_channel*> bound_outputs;
  std::vector<std::uint64_t> promises;  ///< `promised`
  std::vector<std::uint64_t> tickets;
};

}  // namespace channels::detail
