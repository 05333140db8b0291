#pragma once

#include <cstdint>  // fixed-width integers
#include <deque>    // deque
#include <memory>   // unique_ptr
#include <string>   // string
#include <vector>   // vector

#include "channels/net/transport.hpp"
#include "channels/net/world.hpp"
#include "runtime/net/peer_link.hpp"

namespace channels::detail {

/// What of a world stays from run to run: the transport, and the links with their sequence numbers.
/// Invariant: at most one run uses it, from the aggregator's thread; between runs nobody does.
class endpoint {
 public:
  endpoint(std::unique_ptr<transport> transport_of_place, world_options how)
      : by(std::move(transport_of_place)), options(how), early(by->places()) {
    for (std::uint32_t p = 0; p < by->places(); ++p)
      links.push_back(std::make_unique<peer_link>(*by, p, options, counts));
  }
  endpoint(const endpoint&) = delete;
  endpoint& operator=(const endpoint&) = delete;

  std::unique_ptr<transport> by;
  world_options options;
  world_counts counts;
  /// By place; that of this place is not used.
  std::vector<std::unique_ptr<peer_link>> links;
  std::uint32_t run = 0;  ///< the number of the run that is in progress, or was last
  /// By place: parcels of a run that has not begun here. They are few: without this place's hello
  /// the others have no credit.
  std::vector<std::deque<parcel>> early;
  std::string failure;  ///< of a run; "" while none has failed
};

}  // namespace channels::detail
