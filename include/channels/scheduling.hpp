#pragma once

#include <cstddef>   // size_t
#include <cstdint>   // fixed-width integers
#include <memory>    // unique_ptr
#include <optional>  // optional
#include <span>      // span

#include "channels/config.hpp"

namespace channels {

/// Something that could be dispatched now.
struct candidate {
  std::uint32_t level = 0;
  std::uint64_t ready = 0;  ///< elements that wait
  std::uint64_t room = 0;   ///< how many of them have room downstream; at least 1, at most `ready`
  std::uint64_t arrival = 0;  ///< smaller came earlier
  bool continuation = false;  ///< frames, which free space; otherwise work that may spawn
};

/// What orders compare: a larger one goes first.
struct candidate_rank {
  std::uint32_t high = 0;
  std::uint32_t low = 0;  ///< of equal `high`

  [[nodiscard]] constexpr CHANNELS_DEVICE bool is_above(const candidate_rank& other) const {
    return high != other.high ? high > other.high : low > other.low;
  }
};

/// Orders by which policies choose: the same code for an aggregator on the host and on a device.
struct bounded_breadth_first_order {
  /// The most room, then the deepest, then what frees space.
  [[nodiscard]] static constexpr CHANNELS_DEVICE candidate_rank rank(const candidate& a) {
    constexpr std::uint64_t most = ~std::uint32_t{0};
    return {static_cast<std::uint32_t>(a.room < most ? a.room : most),
            a.level << 1U | (a.continuation ? 1U : 0U)};
  }
};
struct first_come_order {
  [[nodiscard]] static constexpr CHANNELS_DEVICE candidate_rank rank(const candidate& a) {
    return {static_cast<std::uint32_t>(~a.arrival >> 32U), static_cast<std::uint32_t>(~a.arrival)};
  }
};

/// The order that a policy goes by, for an aggregator on a device.
enum class scheduling_order : std::uint32_t {
  custom,  ///< none of these: the policy can only be asked on the host
  bounded_breadth_first,
  first_come,
};

[[nodiscard]] constexpr CHANNELS_DEVICE candidate_rank rank_by(scheduling_order order,
                                                               const candidate& a) {
  return order == scheduling_order::first_come ? first_come_order::rank(a)
                                               : bounded_breadth_first_order::rank(a);
}

/// What the aggregator asks when it decides (paper, section 7.2). An object with no state of the
/// run, so that the same policy can serve an aggregator on a device.
class scheduling_policy {
 public:
  scheduling_policy() = default;
  scheduling_policy(const scheduling_policy&) = delete;
  scheduling_policy& operator=(const scheduling_policy&) = delete;
  virtual ~scheduling_policy() = default;

  [[nodiscard]] virtual const char* name() const = 0;
  /// Which of `ready` to dispatch next; nothing to leave the device idle. What is chosen is cut to
  /// the size of a batch.
  [[nodiscard]] virtual std::optional<std::size_t> choose(
      std::span<const candidate> ready) const = 0;
  /// By which it chooses, if that is one of those.
  [[nodiscard]] virtual scheduling_order goes_by() const { return scheduling_order::custom; }
};

/// Bounded breadth-first (paper, section 5.3): among all levels, what makes the largest batch with
/// the room that there is downstream, and of equals the deepest. With little memory that is
/// depth-first, with much it is breadth-first. Serves both readiness rules: under the levelized
/// rule a frame is a candidate when no deeper level holds anything, under the counted rule when its
/// last child has finished.
[[nodiscard]] std::unique_ptr<scheduling_policy> bounded_breadth_first();

/// Oldest first, for graphs without levels.
[[nodiscard]] std::unique_ptr<scheduling_policy> first_come();

}  // namespace channels
