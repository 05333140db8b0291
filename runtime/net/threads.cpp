#include "channels/net/threads.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // find_if
#include <atomic>     // atomic
#include <cstring>    // memcpy
#include <deque>      // deque

#include "channels/error.hpp"

namespace channels {
namespace {

using clock = transport::clock;

/// splitmix64: each number is good by itself, so seeds may be neighbours.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t x = state += 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBULL;
  return x ^ x >> 31U;
}

void check_probability(double p, const char* what) {
  if (p >= 0 && p < 1) return;
  throw error(
      fmt::format("thread_network: the probability that a parcel is {} is {}; it is at "
                  "least 0 and less than 1",
                  what, p));
}

}  // namespace

struct thread_network::wires {
  /// Parcels on their way from one place to another. Any thread may call it.
  class wire {
   public:
    /// A wire that holds so many is busy, so that a place that does not poll costs bounded memory.
    static constexpr std::size_t most = 64;

    [[nodiscard]] bool is_full() const {
      const std::lock_guard lock(mutex_);
      return parcels_.size() >= most;
    }
    void put(parcel p, clock::time_point due) {
      const std::lock_guard lock(mutex_);
      parcels_.push_back({std::move(p), due});
      // Release: who sees the count finds the parcel; the mutex orders the rest.
      count_.store(parcels_.size(), std::memory_order_release);
    }
    /// The first that is due, or an empty one.
    parcel take(clock::time_point now) {
      // Acquire: as above. An old count only delays the parcel to the next look.
      if (count_.load(std::memory_order_acquire) == 0) return {};
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(parcels_.begin(), parcels_.end(),
                                      [now](const held& h) { return h.due <= now; });
      if (found == parcels_.end()) return {};
      parcel p = std::move(found->what);
      parcels_.erase(found);
      count_.store(parcels_.size(), std::memory_order_release);
      return p;
    }

   private:
    struct held {
      parcel what;
      clock::time_point due;
    };

    mutable std::mutex mutex_;  ///< guards `parcels_`
    std::deque<held> parcels_;
    std::atomic<std::size_t> count_{0};  ///< so that an empty wire is looked at without a lock
  };

  wires(std::uint32_t n, thread_faults f, std::size_t bytes)
      : places(n), faults(f), parcel_bytes(bytes), all(std::size_t{n} * n) {}

  wire& between(std::uint32_t from, std::uint32_t to) {
    return all[std::size_t{from} * places + to];
  }

  const std::uint32_t places;
  const thread_faults faults;
  const std::size_t parcel_bytes;
  std::vector<wire> all;  ///< by sender, then by receiver
};

/// One place's end. Invariant: only its place's thread uses it, and what it shares with the others
/// is in the wires.
class thread_network::thread_transport final : public transport {
 public:
  thread_transport(std::shared_ptr<wires> net, std::uint32_t here)
      : transport(net->parcel_bytes),
        net_(std::move(net)),
        here_(here),
        random_(net_->faults.seed * 0x2545F4914F6CDD1DULL + here) {}

  [[nodiscard]] std::uint32_t places() const override { return net_->places; }
  [[nodiscard]] std::uint32_t here() const override { return here_; }
  [[nodiscard]] transport_capabilities can() const override { return {net_->faults.reliable()}; }

  [[nodiscard]] bool post(std::uint32_t to, parcel& p) override {
    wires::wire& w = net_->between(here_, to);
    const thread_faults& f = net_->faults;
    if (is_stalled() || w.is_full()) return false;
    ++posted_;
    if (is_killed() || happens(f.lost)) {
      give(std::exchange(p, {}));
      return true;
    }
    if (happens(f.doubled)) {
      parcel copy = take();
      std::memcpy(copy.bytes.get(), p.bytes.get(), p.size);
      copy.size = p.size;
      w.put(std::move(copy), due());
    }
    w.put(std::exchange(p, {}), due());
    return true;
  }

  [[nodiscard]] std::optional<arrived_parcel> poll() override {
    if (is_stalled()) return std::nullopt;
    const auto at = now();
    for (std::uint32_t i = 0; i < net_->places; ++i) {
      next_ = next_ + 1 == net_->places ? 0 : next_ + 1;  // nobody comes first always
      parcel p = net_->between(next_, here_).take(at);
      if (!p) continue;
      if (!is_killed()) return arrived_parcel{next_, std::move(p)};
      give(std::move(p));
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_killed() const {
    return here_ == net_->faults.killed_place && posted_ > net_->faults.killed_after;
  }
  [[nodiscard]] bool is_stalled() {
    const thread_faults& f = net_->faults;
    if (here_ != f.stalled_place || posted_ < f.stalled_after) return false;
    if (stalled_until_ == clock::time_point{}) stalled_until_ = now() + f.stalled_for;
    return now() < stalled_until_;
  }
  bool happens(double probability) {
    // Without a chance the generator stays where it is, and the other faults are as they were.
    return probability != 0 &&
           static_cast<double>(next_random(random_) >> 11U) * 0x1p-53 < probability;
  }
  clock::time_point due() {
    const auto most = static_cast<std::uint64_t>(net_->faults.delay.count());
    return most == 0 ? clock::time_point{}
                     : now() + std::chrono::microseconds(next_random(random_) % (most + 1));
  }

  std::shared_ptr<wires> net_;
  std::uint32_t here_;
  std::uint64_t random_;
  std::uint64_t posted_ = 0;
  std::uint32_t next_ = 0;  ///< whose wire was looked at last
  clock::time_point stalled_until_;
};

thread_network::thread_network(std::uint32_t places, thread_faults faults, std::size_t parcel_bytes)
    : places_(places), wires_(std::make_shared<wires>(places, faults, parcel_bytes)) {
  if (places == 0) throw error("thread_network: it has no places; give it 1 or more");
  check_probability(faults.lost, "lost");
  check_probability(faults.doubled, "doubled");
}

std::unique_ptr<transport> thread_network::at(std::uint32_t place) const {
  if (place >= places_) {
    throw error(fmt::format("thread_network: there is no place {}; it has {}", place, places_));
  }
  return std::make_unique<thread_transport>(wires_, place);
}

}  // namespace channels
