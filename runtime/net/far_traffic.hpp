#pragma once

#include <cstdint>  // fixed-width integers
#include <deque>    // deque
#include <string>   // string
#include <vector>   // vector

#include "channels/detail/far_model.hpp"
#include "channels/statistics.hpp"
#include "runtime/net/endpoint.hpp"

namespace channels::detail {

/// What all places have to agree on of a far channel.
struct far_shape {
  std::string name;
  std::size_t element_bytes = 0;
  std::uint32_t capacity = 0;  ///< of each landing channel: the credit to begin with
};

/// Elements that have arrived and wait for their landing channel.
struct landing_elements {
  const std::byte* first = nullptr;
  std::uint32_t count = 0;
};

/// What of one far channel leaves this place and arrives here, in one run.
///
/// Credit: this place promises to each source a number of elements that it may send in all. It is
/// what has landed and the room that is left, and never falls. A landing channel is written by its
/// source alone, so an element that arrives finds room there, unless parked elements have come
/// back in between; then it waits here, and what waits is no more than what was promised.
class far_traffic final : public far_outboxes {
 public:
  /// `number`: of the far channel. `graph`: its name, for messages.
  far_traffic(endpoint& on, std::string graph, std::uint32_t number, far_shape shape);

  // Departures.

  [[noreturn]] void refuse(std::uint64_t place) const override;
  /// Sends parcels that are not full: all, or those that have waited for
  /// `world_options::flush_after`.
  void flush(transport::clock::time_point now, bool all);
  /// Place `place` allows that many elements in all.
  void allow(std::uint32_t place, std::uint64_t limit);
  /// The run has begun there: it allows what its landing channel holds.
  void open_credit(std::uint32_t place) { allow(place, shape_.capacity); }
  /// Elements of unsent parcels.
  [[nodiscard]] bool holds_departures() const;
  /// Elements that may be sent to `place` still.
  [[nodiscard]] std::uint64_t credit(std::uint32_t place) const;

  // Arrivals.

  /// A parcel with `count` elements. Throws `channels::error` if that cannot be.
  void arrived(std::uint32_t from, parcel p, std::uint32_t count);
  /// The next elements from this source; none if there are none.
  [[nodiscard]] landing_elements next_from(std::uint32_t source) const;
  /// The first `count` of them are in the landing channel.
  void landed(std::uint32_t source, std::uint32_t count);
  /// The landing channel has room for so many elements besides those that landed.
  void set_room(std::uint32_t source, std::uint64_t room);
  /// Tells sources of credit that they may need. `all`: also of little.
  void announce(bool all);
  [[nodiscard]] bool holds_arrivals() const;

  /// Elements that were sent to other places, and of those from others that have landed.
  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  [[nodiscard]] std::uint64_t done() const { return done_; }
  [[nodiscard]] const far_shape& shape() const { return shape_; }
  /// What went to and came from another place.
  [[nodiscard]] link_statistics counted(std::uint32_t place) const;

 private:
  struct held {
    parcel what;
    std::uint32_t next = 0;  ///< elements before it have landed
    std::uint32_t count = 0;
  };
  struct peer {
    // Departures to it.
    parcel filling;             ///< what its outbox writes to; none before the first element
    std::uint64_t shipped = 0;  ///< elements of parcels that were sent
    std::uint64_t limit = 0;    ///< elements that it allows in all
    std::uint64_t parcels = 0;  ///< that were sent, and their bytes
    std::uint64_t bytes = 0;
    std::uint64_t credit_waits = 0;
    transport::clock::time_point opened;
    // Arrivals from it.
    std::deque<held> waiting;
    std::uint64_t arrived = 0;    ///< elements
    std::uint64_t landed = 0;     ///< of those
    std::uint64_t promised = 0;   ///< elements that it may send in all
    std::uint64_t announced = 0;  ///< the same, as far as it was told
  };

  bool open(std::uint32_t place) override;
  void ship(std::uint32_t place);
  void tell(std::uint32_t place);
  [[nodiscard]] std::uint64_t in_box(std::uint32_t place) const;
  [[nodiscard]] parcel_header header(std::uint32_t place, parcel_kind kind);

  endpoint& on_;
  std::string graph_;
  std::uint32_t number_;
  far_shape shape_;
  std::uint64_t most_in_parcel_;
  std::vector<peer> peers_;
  std::uint64_t sent_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace channels::detail
