#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <chrono>   // milliseconds, microseconds
#include <cstdint>  // fixed-width integers
#include <memory>   // shared_ptr, unique_ptr

#include "channels/net/transport.hpp"

namespace channels {

class graph;
namespace detail {
class endpoint;
}

/// Numbers that tune a world.
struct world_options {
  /// A place of which nothing is heard for that long is lost, and ends the run. 0: the runtime's
  /// `settings::timeout`. A place is silent while its aggregator's own thread runs a batch, so this
  /// is longer than any batch takes.
  std::chrono::milliseconds patience{0};
  /// A parcel that is not full leaves after that long, if its place is busy; else at once. Gravel's
  /// (section 6).
  std::chrono::microseconds flush_after{125};
  /// Over a transport that is not reliable: a parcel that is not acknowledged is sent again after
  /// that long, then after twice as long, and so on up to 16 times as long.
  std::chrono::microseconds resend_after{2000};
};

/// What went between this place and the others, in all runs so far.
struct world_counts {
  std::uint64_t elements_sent = 0;     ///< to other places
  std::uint64_t elements_arrived = 0;  ///< from other places
  std::uint64_t parcels_sent = 0;      ///< with elements, to other places
  std::uint64_t bytes_sent = 0;        ///< of those parcels
  std::uint64_t credit_waits = 0;      ///< how often an element had to wait for credit
  std::uint64_t waves = 0;             ///< that place 0 sent to find out whether a run has ended
  std::uint64_t resent = 0;            ///< parcels of any kind that were sent again
  std::uint64_t duplicates = 0;        ///< parcels that came a second time
};

/// The places of a job, as one of them sees them. A place is a runtime of one process; each place
/// makes a world with its transport, and graphs in it. One thread at a time uses it.
///
///     channels::world w(channels::mpi_transport());
///     channels::runtime on;
///     channels::graph g(on, w, "gups");
///     auto update = g.channel<std::uint64_t>("update", 1 << 16);
///     auto far = g.far(update, channels::owner([=](std::uint64_t i) { return i / per_place; }));
///
/// After a run that failed it cannot be used for another: the places may not agree on what came.
class world {
 public:
  explicit world(std::unique_ptr<transport> by, world_options options = {});

  [[nodiscard]] std::uint32_t places() const;
  /// The number of this place.
  [[nodiscard]] std::uint32_t here() const;
  /// No run of a graph of this world may be in progress.
  [[nodiscard]] world_counts counted() const;

 private:
  friend class graph;  // graphs share it: a run goes on if the world is gone

  std::shared_ptr<detail::endpoint> endpoint_;
};

}  // namespace channels

#endif
