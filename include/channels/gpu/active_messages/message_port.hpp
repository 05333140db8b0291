#pragma once

#include "channels/gpu/active_messages/mail.hpp"
#include "channels/gpu/port/clock.hpp"
#include "channels/gpu/port/collectives.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu {

/// Where a handler runs.
struct message_place {
  std::uint32_t here;    ///< the place, counted from 0
  std::uint32_t places;  ///< how many there are
};

namespace detail {

/// What a sender sends with. Any lanes of a wavefront call it, together or not: those that happen
/// to be there together for the same place take positions with one atomic.
template <class Message, class Handler>
class message_port {
  using layout = mail_layout<Message>;

 public:
  CHANNELS_GPU_INLINE message_port(const mail_parameters& mail, std::uint32_t ring,
                                   const Handler& handler)
      : mail_(mail), ring_(ring), handler_(handler) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t here() const { return mail_.here; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t places() const { return mail_.places; }

  /// Has the handler run with `message` at `place`. A message to this place is handled at once.
  /// Waits while the ring is full, which ends, because whoever reads it waits for nothing. What
  /// else the lane has written before need not be there when the message is handled.
  CHANNELS_GPU_INLINE void send(std::uint32_t place, const Message& message) {
    if (place == mail_.here) {
      handler_(message_place{mail_.here, mail_.places}, message);
      return;
    }
    const std::uint32_t way = mail_.way(place, ring_);
    const std::uint64_t position = claim_each(mail_.tails, way);
    if (!has_room(way, position)) return;  // the run ends with an error
    std::uint64_t* const ring = mail_.ring_at(place, mail_.here, ring_, layout::words);
    layout::write(layout::at(ring, position & (mail_.capacity() - 1)), round_of(mail_, position),
                  message);
  }

 private:
  /// Waits until the place of the message before this one is free. False if the run was stopped.
  CHANNELS_GPU_INLINE bool has_room(std::uint32_t way, std::uint64_t position) {
    if (way == known_way_ && position < known_room_) return true;
    const std::uint64_t* const read = mail_.blocks[mail_.here].read + way;
    for (std::uint32_t looks = 1;; ++looks) {
      // Acquire: the destination has read the message that this one takes the place of.
      known_room_ = load<order::acquire, scope::system>(read) + mail_.capacity();
      known_way_ = way;
      if (position < known_room_) return true;
      if (looks % message_tuning::looks_between_stops == 0 && mail_.is_stopped()) return false;
      nap();
    }
  }

  const mail_parameters& mail_;
  std::uint32_t ring_;
  const Handler& handler_;
  std::uint32_t known_way_ = ~std::uint32_t{0};
  std::uint64_t known_room_ = 0;
};

}  // namespace detail
}  // namespace channels::gpu
