#pragma once

#include <chrono>      // microseconds
#include <cstdint>     // fixed-width integers
#include <deque>       // deque
#include <functional>  // function
#include <map>         // map

#include "channels/net/transport.hpp"
#include "channels/net/world.hpp"
#include "runtime/net/parcel_header.hpp"

namespace channels::detail {

/// The link to one other place: what is sent arrives there once and in order, whatever the
/// transport loses, repeats or turns around. It stays from run to run.
///
/// Parcels have sequence numbers. Over a reliable transport those only restore the order. Else the
/// sender keeps a parcel until the receiver has said that all up to it have arrived, and sends it
/// again meanwhile; the receiver knows by the number what it has had already.
class peer_link {
 public:
  using clock = transport::clock;
  using receiver = std::function<void(parcel)>;

  peer_link(transport& by, std::uint32_t place, const world_options& options, world_counts& counts)
      : by_(by), place_(place), reliable_(by.can().reliable), options_(options), counts_(counts) {}

  /// Sends `p`, whose header is there but for what the link knows, when the transport takes it.
  void send(parcel p);
  /// Sends what waits, again what is overdue, and what has arrived. `silence`: after so long
  /// without a parcel it sends one all the same.
  void pump(clock::time_point now, clock::duration silence);
  /// A parcel has arrived: calls `deliver` with it, and with those that waited for it, in order.
  void arrived(parcel p, const receiver& deliver);

  /// Whether all that was sent is gone, and has arrived as far as can be known.
  [[nodiscard]] bool all_out() const { return waiting_.empty() && unacknowledged_.empty(); }
  /// The number of the last parcel that was sent, and of the last of which it is known that it
  /// arrived; and of the last that arrived here, without a gap.
  [[nodiscard]] std::uint64_t last_sent() const { return sent_; }
  [[nodiscard]] std::uint64_t last_acknowledged() const { return acknowledged_; }
  [[nodiscard]] std::uint64_t last_arrived() const { return arrived_; }

 private:
  struct kept {
    parcel what;
    std::uint64_t sequence;
    clock::time_point due;     ///< when it is sent again
    clock::duration patience;  ///< how long that waits the next time
  };

  /// Parcels that may be out and not acknowledged; so many may come before one that was lost.
  static constexpr std::uint64_t window = 64;

  bool post(parcel& p);
  void resend(clock::time_point now);
  void take_acknowledgement(std::uint64_t up_to);
  [[nodiscard]] parcel copy_of(const parcel& p);

  transport& by_;
  std::uint32_t place_;
  bool reliable_;
  const world_options& options_;
  world_counts& counts_;

  std::deque<parcel> waiting_;       ///< the transport was busy, or the window full
  std::deque<kept> unacknowledged_;  ///< posted; empty over a reliable transport
  std::uint64_t sent_ = 0;
  std::uint64_t acknowledged_ = 0;
  clock::time_point last_post_;

  std::uint64_t arrived_ = 0;
  std::map<std::uint64_t, parcel> early_;  ///< by number: came before those in front of them
  bool owes_ = false;                      ///< something has arrived that was not acknowledged
};

}  // namespace channels::detail
