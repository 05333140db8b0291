#pragma once

#include <cstddef>  // byte, size_t
#include <cstdint>  // fixed-width integers
#include <cstring>  // memcpy
#include <memory>   // shared_ptr
#include <string>   // string
#include <vector>   // vector

#include "channels/config.hpp"
#include "channels/detail/channel_view.hpp"
#include "channels/detail/element.hpp"

/// A far channel without its types: what the courier and the aggregator know of it.
namespace channels::detail {

/// Where elements of one far channel leave this place: an outbox for each place, with as much room
/// as the place has given credit for and a parcel holds. The aggregator's thread uses it.
class far_outboxes {
 public:
  far_outboxes(std::uint32_t places, std::uint32_t here, std::size_t element_bytes)
      : boxes_(places), here_(here), element_bytes_(element_bytes) {}
  far_outboxes(const far_outboxes&) = delete;
  far_outboxes& operator=(const far_outboxes&) = delete;
  virtual ~far_outboxes() = default;

  [[nodiscard]] std::uint32_t places() const { return static_cast<std::uint32_t>(boxes_.size()); }
  [[nodiscard]] std::uint32_t here() const { return here_; }

  /// Whether one more element may be put into the outbox for `place`. False: no credit.
  [[nodiscard]] CHANNELS_INLINE bool has_room(std::uint32_t place) {
    return boxes_[place].room != 0 || open(place);
  }
  /// Puts an element into an outbox that has room.
  template <element T>
  CHANNELS_INLINE void put(std::uint32_t place, const T& e) {
    outbox& box = boxes_[place];
    std::memcpy(box.next, &e, sizeof e);
    box.next += sizeof e;
    --box.room;
  }
  /// The place that `any` sends the next element to: the same one while there is room, then the
  /// next that has some. If none has, a place without room.
  [[nodiscard]] std::uint32_t any_with_room() {
    for (std::uint32_t tried = 0; tried < places() && !has_room(any_); ++tried)
      any_ = any_ + 1 == places() ? 0 : any_ + 1;
    return any_;
  }
  /// The route named a place that does not exist: throws `channels::error`.
  [[noreturn]] virtual void refuse(std::uint64_t place) const = 0;

 protected:
  struct outbox {
    std::byte* next = nullptr;  ///< where the next element goes
    std::uint32_t room = 0;     ///< elements
  };

  /// Makes room in an outbox that has none, if there is credit.
  virtual bool open(std::uint32_t place) = 0;

  [[nodiscard]] outbox& box_of(std::uint32_t place) { return boxes_[place]; }
  [[nodiscard]] const outbox& box_of(std::uint32_t place) const { return boxes_[place]; }
  [[nodiscard]] std::size_t element_bytes() const { return element_bytes_; }

 private:
  std::vector<outbox> boxes_;  ///< by place
  std::uint32_t here_;
  std::size_t element_bytes_;
  std::uint32_t any_ = 0;
};

/// Puts the elements of `r` into outboxes, from the first on, until one finds no room. Returns how
/// many. `route`: what the program gave the far channel.
using depart_function = std::uint32_t (*)(const void* route, const channel_view& from, run r,
                                          far_outboxes& to);

/// A far channel of a graph.
struct far_model {
  std::string name;
  std::uint32_t home = 0;               ///< the channel that it leads to, by number
  std::uint32_t departures = 0;         ///< the channel in which elements wait to leave
  std::vector<std::uint32_t> landings;  ///< by source: where its elements arrive here
  std::shared_ptr<const void> route;
  depart_function depart = nullptr;
};

}  // namespace channels::detail
