#pragma once

#include <cstddef>   // size_t
#include <cstdint>   // fixed-width integers
#include <memory>    // unique_ptr
#include <optional>  // optional
#include <span>      // span

#include "channels/config.hpp"

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

/// The order of a policy, for the device aggregator.
enum class scheduling_order : std::uint32_t {
  custom,  ///< code of the policy itself, which runs on the host only
  bounded_breadth_first,
  first_come,
};

/// The rank of `a` in a built-in order. One lane or the host calls it.
[[nodiscard]] constexpr CHANNELS_DEVICE candidate_rank rank_by(scheduling_order order,
                                                               const candidate& a) {
  return order == scheduling_order::first_come ? first_come_order::rank(a)
                                               : bounded_breadth_first_order::rank(a);
}

/// What the aggregator asks at each decision (paper, section 7.2). It has no state of the run. The
/// aggregator's thread calls it.
class scheduling_policy {
 public:
  scheduling_policy() = default;
  scheduling_policy(const scheduling_policy&) = delete;
  scheduling_policy& operator=(const scheduling_policy&) = delete;
  virtual ~scheduling_policy() = default;

  [[nodiscard]] virtual const char* name() const = 0;
  /// The place in `ready` of the candidate to dispatch next. Nothing: wait, which is allowed only
  /// while something runs. The batch takes at most `settings::batch` elements of it.
  [[nodiscard]] virtual std::optional<std::size_t> choose(
      std::span<const candidate> ready) const = 0;
  /// The built-in order it uses, or `custom`.
  [[nodiscard]] virtual scheduling_order goes_by() const { return scheduling_order::custom; }
};

/// Bounded breadth-first (paper, section 5.3): chooses, among all levels, the largest batch that
/// has room downstream, and of equal ones the deepest. With little memory that is depth-first, with
/// much it is breadth-first. It suits both readiness rules: under the levelized rule a frame is a
/// candidate when no deeper level holds anything, under the counted rule when its last child has
/// finished.
[[nodiscard]] std::unique_ptr<scheduling_policy> bounded_breadth_first();

/// Chooses the candidate that became ready first, for graphs without levels.
[[nodiscard]] std::unique_ptr<scheduling_policy> first_come();

}  // namespace channels
