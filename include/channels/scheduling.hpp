#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <cstddef>   // size_t
#include <cstdint>   // fixed-width integers
#include <memory>    // unique_ptr
#include <optional>  // optional
#include <span>      // span

namespace channels {

/// A channel of which a batch could be dispatched now.
struct candidate {
  std::uint32_t level = 0;
  std::uint64_t ready = 0;  ///< elements that wait
  std::uint64_t room = 0;   ///< how many of them have room downstream; at least 1, at most `ready`
  std::uint64_t arrival =
      0;  ///< orders candidates by when they became ready; the earliest is least
  bool continuation = false;  ///< frames, which free space; otherwise work that may spawn
};

/// A candidate's place in an order: the candidate with the largest rank is dispatched first.
struct candidate_rank {
  std::uint32_t high = 0;
  std::uint32_t low = 0;  ///< compared where `high` is equal

  [[nodiscard]] constexpr CHANNELS_DEVICE bool is_above(const candidate_rank& other) const {
    return high != other.high ? high > other.high : low > other.low;
  }
};

/// The built-in orders: the same code for the host's aggregator and the device aggregator.
struct bounded_breadth_first_order {
  /// The most room first; of equals the deepest; of equals what frees space.
  [[nodiscard]] static constexpr CHANNELS_DEVICE candidate_rank rank(const candidate& a) {
    constexpr std::uint64_t most = ~std::uint32_t{0};
    return {static_cast<std::uint32_t>(a.room < most ? a.room : most),
            a.level << 1U | (a.continuation ? 1U : 0U)};
  }
};
/// See `first_come()`.
struct first_come_order {
  [[nodiscard]] static constexpr CHANNELS_DEVICE candidate_rank rank(const candidate& a) {
    return {static_cast<std::uint32_t>(~a.arrival >> 32U), static_cast<std::uint32_t>(~a.arrival)};
  }
};

/// See `level_first()`.
struct level_first_order {
  /// Continuations, which free space, and work that has room for all of its elements first: of them
  /// the candidate nearest to the root; of equals continuations; of equals the most elements. Other
  /// work as `bounded_breadth_first_order` ranks it.
  [[nodiscard]] static constexpr CHANNELS_DEVICE candidate_rank rank(const candidate& a) {
    constexpr std::uint32_t whole = 1U << 31U;
    constexpr std::uint32_t most = whole - 1;
    const auto room = static_cast<std::uint32_t>(a.room < most ? a.room : most);
    if (!a.continuation && a.room < a.ready)
      return {room, bounded_breadth_first_order::rank(a).low};
    return {whole | (most - (a.level < most ? a.level : most)),
            (a.continuation ? whole : 0) | room};
  }
};

/// The order that a policy uses, for an aggregator on a device.
enum class scheduling_order : std::uint32_t {
  custom,  ///< none of these: only the host's aggregator can ask the policy
  bounded_breadth_first,
  first_come,
  level_first,
};

/// The rank of `a` by a built-in order. A lane of the device's aggregator calls it for each
/// channel.
[[nodiscard]] constexpr CHANNELS_DEVICE candidate_rank rank_by(scheduling_order order,
                                                               const candidate& a) {
  if (order == scheduling_order::first_come) return first_come_order::rank(a);
  if (order == scheduling_order::level_first) return level_first_order::rank(a);
  return bounded_breadth_first_order::rank(a);
}

/// What the aggregator asks when it decides (paper, section 7.2). It has no state of the run. The
/// thread of the host's aggregator calls it; a device's aggregator uses the order that it names.
class scheduling_policy {
 public:
  scheduling_policy() = default;
  scheduling_policy(const scheduling_policy&) = delete;
  scheduling_policy& operator=(const scheduling_policy&) = delete;
  virtual ~scheduling_policy() = default;

  [[nodiscard]] virtual const char* name() const = 0;
  /// The index of the candidate of `ready` to dispatch next, or nothing to leave the device idle.
  /// The aggregator cuts what is chosen to the size of a batch.
  [[nodiscard]] virtual std::optional<std::size_t> choose(
      std::span<const candidate> ready) const = 0;
  /// The built-in order that it uses, or `custom`.
  [[nodiscard]] virtual scheduling_order goes_by() const { return scheduling_order::custom; }
};

/// Bounded breadth-first (paper, section 5.3): of all levels, what makes the largest batch with the
/// room that there is downstream, and of equals the deepest. With little memory that is
/// depth-first, with much memory breadth-first. It serves both readiness rules: by the levelized
/// rule a frame is a candidate when no deeper level holds anything, by the counted rule when its
/// last child has finished.
[[nodiscard]] std::unique_ptr<scheduling_policy> bounded_breadth_first();

/// The oldest first, for graphs without levels.
[[nodiscard]] std::unique_ptr<scheduling_policy> first_come();

/// Breadth-first: a level is finished before the next is begun, in few and large batches, as a GPU
/// wants them. Work that does not have room for all of its elements waits for what has, and for
/// continuations, which free space; if all candidates lack room, the largest batch goes first, as
/// with `bounded_breadth_first`.
[[nodiscard]] std::unique_ptr<scheduling_policy> level_first();

}  // namespace channels

#endif
