#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <chrono>    // steady_clock
#include <cstddef>   // byte, size_t
#include <cstdint>   // fixed-width integers
#include <memory>    // unique_ptr
#include <optional>  // optional
#include <utility>   // move, exchange
#include <vector>    // vector

namespace channels {

/// Bytes that travel together from one place to another. Who has it owns the memory.
struct parcel {
  std::unique_ptr<std::byte[]> bytes;
  std::size_t size = 0;  ///< bytes that are used, from the first on

  explicit operator bool() const { return bytes != nullptr; }
};

/// A parcel and the place that posted it.
struct arrived_parcel {
  std::uint32_t from = 0;
  parcel what;
};

/// What a transport promises of the parcels between two places.
struct transport_capabilities {
  /// Each parcel that was posted arrives once. Where it is false, parcels may be lost or come
  /// twice, and the courier acknowledges and sends again.
  bool reliable = true;
};

/// Moves bytes between places; it knows nothing of channels. A back end implements it for one
/// place. One thread at a time calls it, and its functions never wait.
///
/// Parcels are owned: `post` takes the memory, and `poll` hands out the memory in which a parcel
/// has arrived, so no back end has to copy. All parcels of a transport have room for as many
/// bytes; `take` and `give` keep those that are not used.
class transport {
 public:
  using clock = std::chrono::steady_clock;

  /// `parcel_bytes`: room of each parcel; the same at all places.
  explicit transport(std::size_t parcel_bytes) : parcel_bytes_(parcel_bytes) {}
  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;
  virtual ~transport() = default;

  [[nodiscard]] virtual std::uint32_t places() const = 0;
  /// The number of this place, from 0 on.
  [[nodiscard]] virtual std::uint32_t here() const = 0;
  [[nodiscard]] virtual transport_capabilities can() const = 0;

  /// Sends `p` to place `to`, another one than this, and takes its memory. False: busy; `p` is as
  /// it was, and the caller tries again later. Throws `channels::error` if the link is broken.
  [[nodiscard]] virtual bool post(std::uint32_t to, parcel& p) = 0;
  /// A parcel that has arrived, if there is one; it also lets what was posted go on. Parcels may
  /// arrive in any order. Throws as `post` does.
  [[nodiscard]] virtual std::optional<arrived_parcel> poll() = 0;
  /// Whether all that was posted has left this place.
  [[nodiscard]] virtual bool sent_all() { return true; }
  /// The time by which the courier waits.
  [[nodiscard]] virtual clock::time_point now() const { return clock::now(); }
  /// Another place is gone: from now on nothing waits for others, the destructor included.
  virtual void give_up() noexcept {}

  [[nodiscard]] std::size_t parcel_bytes() const { return parcel_bytes_; }
  /// An empty parcel.
  [[nodiscard]] parcel take() {
    if (spare_.empty()) return {std::make_unique_for_overwrite<std::byte[]>(parcel_bytes_), 0};
    parcel p = std::move(spare_.back());
    spare_.pop_back();
    p.size = 0;
    return p;
  }
  /// Takes back a parcel that is not used any more.
  void give(parcel p) {
    // More would come together where a place gets more than it sends.
    constexpr std::size_t most_spare = 64;
    if (p && spare_.size() < most_spare) spare_.push_back(std::move(p));
  }

 private:
  std::size_t parcel_bytes_;
  std::vector<parcel> spare_;
};

/// Room of a parcel where nothing else is said: Gravel's (section 5), large enough that the cost of
/// a message is little for each element.
inline constexpr std::size_t usual_parcel_bytes = std::size_t{64} << 10U;

}  // namespace channels

#endif
