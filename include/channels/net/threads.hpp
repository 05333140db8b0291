#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <chrono>     // microseconds
#include <cstddef>    // size_t
#include <cstdint>    // fixed-width integers
#include <exception>  // exception_ptr
#include <memory>     // shared_ptr, unique_ptr
#include <mutex>      // mutex
#include <thread>     // jthread
#include <vector>     // vector

#include "channels/net/transport.hpp"

namespace channels {

/// What goes wrong between places that are threads: for tests. By default nothing does. Each place
/// has a generator of its own, so what happens to its n-th parcel depends on the seed alone.
struct thread_faults {
  static constexpr std::uint32_t no_place = ~std::uint32_t{0};

  std::uint64_t seed = 1;
  double lost = 0;     ///< probability that a parcel never arrives
  double doubled = 0;  ///< probability that it arrives twice
  /// Each parcel takes from nothing to this long, at random, and so they overtake each other.
  std::chrono::microseconds delay{0};
  /// From its n-th parcel on, nothing that this place sends or is sent arrives.
  std::uint32_t killed_place = no_place;
  std::uint64_t killed_after = 0;
  /// After its n-th parcel, this place sends and gets nothing for that long; then all of it.
  std::uint32_t stalled_place = no_place;
  std::uint64_t stalled_after = 0;
  std::chrono::microseconds stalled_for{0};

  /// Whether the links keep what a reliable transport promises.
  [[nodiscard]] bool reliable() const { return lost == 0 && doubled == 0; }
};

/// Places that are threads of one process. Any thread may call it; the transports share it.
class thread_network {
 public:
  /// Throws `channels::error` if there are no places, or a probability is none.
  explicit thread_network(std::uint32_t places, thread_faults faults = {},
                          std::size_t parcel_bytes = usual_parcel_bytes);

  /// The transport of one place; each is asked for once.
  [[nodiscard]] std::unique_ptr<transport> at(std::uint32_t place) const;
  [[nodiscard]] std::uint32_t places() const { return places_; }

 private:
  struct wires;

  std::uint32_t places_;
  std::shared_ptr<wires> wires_;

  class thread_transport;
};

/// Calls `program(transport)` at each place of `net`, each on a thread of its own, and waits for
/// all. Throws what the first of them threw.
template <class Program>
void at_all_places(const thread_network& net, const Program& program) {
  std::exception_ptr first;
  std::mutex mutex;
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t place = 0; place < net.places(); ++place) {
      threads.emplace_back([&, place] {
        try {
          program(net.at(place));
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (!first) first = std::current_exception();
        }
      });
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace channels

#endif
