#pragma once

#include <array>    // array
#include <cstdint>  // fixed-width integers

#include "channels/task.hpp"

/// What lanes of a wavefront would wait for each other, were they in lockstep (paper, figure 19): a
/// task that finds itself at the base case takes another path than one that spawns.
namespace evaluate {

/// Counts, for groups of `width` elements that one compute unit took in turn, how the pre-spawn
/// node ended for each. One compute unit: it is not for threads.
class divergence {
 public:
  explicit divergence(std::uint32_t width) : width_(width) {}

  void add(channels::outcome o) {
    ++paths_[static_cast<std::size_t>(o)];
    if (++lanes_ == width_) close();
  }
  /// The share of lanes that have something to do, on average over the paths of all wavefronts: one
  /// path after the other, each for the lanes that take it.
  [[nodiscard]] double lanes_active() const {
    return steps_ == 0 ? 0 : static_cast<double>(busy_) / static_cast<double>(steps_ * width_);
  }
  /// The share of wavefronts whose lanes took more than one path.
  [[nodiscard]] double divergent() const {
    return waves_ == 0 ? 0 : static_cast<double>(divergent_) / static_cast<double>(waves_);
  }
  [[nodiscard]] std::uint64_t waves() const { return waves_; }
  /// Ends the last wavefront, which may not be full.
  void close() {
    if (lanes_ == 0) return;
    std::uint32_t taken = 0;
    for (std::uint32_t& p : paths_) {
      if (p != 0) ++taken;
      busy_ += p;
      p = 0;
    }
    steps_ += taken;
    divergent_ += taken > 1 ? 1 : 0;
    ++waves_;
    lanes_ = 0;
  }

 private:
  std::uint32_t width_;
  std::uint32_t lanes_ = 0;
  std::array<std::uint32_t, 4> paths_{};
  std::uint64_t busy_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t waves_ = 0;
  std::uint64_t divergent_ = 0;
};

/// Where `observed` tasks count; one run at a time.
inline divergence* observer = nullptr;

template <channels::task Task>
struct observed;

template <class List>
struct observed_list;
template <class... Tasks>
struct observed_list<channels::task_list<Tasks...>> {
  using type = channels::task_list<observed<Tasks>...>;
};

/// A lane that spawns the observed tasks in the place of those that it is asked for.
template <class Lane>
struct observing_lane {
  Lane& lane;

  template <class... Children, class... Counts>
  [[nodiscard]] auto open(Counts... counts) {
    return lane.template open<observed<Children>...>(counts...);
  }
  template <class... Children, class... Counts>
  [[nodiscard]] bool reserve(Counts... counts) {
    return lane.template reserve<observed<Children>...>(counts...);
  }
  template <class Child, class... Arguments>
  [[nodiscard]] bool spawn(typename Child::result_type* slot,
                           const typename Child::arguments& arguments)
    requires(!std::is_void_v<typename Child::result_type>)
  {
    return lane.template spawn<observed<Child>>(slot, arguments);
  }
  template <class Child>
  [[nodiscard]] bool spawn(const typename Child::arguments& arguments)
    requires(std::is_void_v<typename Child::result_type>)
  {
    return lane.template spawn<observed<Child>>(arguments);
  }
  template <class Value>
  [[nodiscard]] channels::outcome finish(const Value& value) {
    return lane.finish(value);
  }
  [[nodiscard]] channels::outcome finish() { return lane.finish(); }
  [[nodiscard]] channels::outcome sync(std::uint32_t point) { return lane.sync(point); }
  [[nodiscard]] channels::outcome yield(std::uint32_t point) { return lane.yield(point); }
  [[nodiscard]] channels::outcome retry() { return lane.retry(); }
  [[nodiscard]] std::uint32_t level() const { return lane.level(); }
};

/// `Task`, which tells the observer how each call of its pre-spawn node ended.
template <channels::task Task>
struct observed : Task {
  using spawns = typename observed_list<typename Task::spawns>::type;

  template <class Lane>
  static channels::outcome enter(Lane& lane, const typename Task::arguments& args) {
    observing_lane<Lane> through{lane};
    const channels::outcome o = Task::enter(through, args);
    observer->add(o);
    return o;
  }
  template <class Lane>
  static channels::outcome resume(Lane& lane, typename Task::frame& f, std::uint32_t point) {
    observing_lane<Lane> through{lane};
    return Task::resume(through, f, point);
  }
};

}  // namespace evaluate
