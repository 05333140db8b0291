#pragma once

#include <cstddef>      // byte, size_t
#include <type_traits>  // conditional_t, is_void_v

#include "channels/lane.hpp"

namespace channels::testing {

/// A lane with what the concept `lane` asks for, and nothing else. It runs no children: it counts
/// spawns, and has room for as many as it is told.
template <task Task>
class lane_archetype {
  struct nothing {};
  using value_type = std::conditional_t<std::is_void_v<typename Task::result_type>, nothing,
                                        typename Task::result_type>;

 public:
  explicit lane_archetype(std::uint32_t room) : room_(room) {}

  template <class... Children, class... Counts>
  typename Task::frame* open(Counts... counts) {
    return reserve<Children...>(counts...) ? &frame_ : nullptr;
  }
  template <class... Children, class... Counts>
  bool reserve(Counts... counts) {
    static_assert(sizeof...(Children) == sizeof...(Counts));
    return (std::uint32_t{0} + ... + static_cast<std::uint32_t>(counts)) <= room_;
  }
  template <task Child>
  bool spawn(typename Child::result_type* slot, const typename Child::arguments& /*arguments*/)
    requires(!std::is_void_v<typename Child::result_type>)
  {
    *slot = {};
    return take_room();
  }
  template <task Child>
  bool spawn(const typename Child::arguments& /*arguments*/)
    requires(std::is_void_v<typename Child::result_type>)
  {
    return take_room();
  }
  void* allocate(std::size_t bytes)
    requires(task_traits<Task>::allocates)
  {
    return bytes <= sizeof memory_ ? memory_ : nullptr;
  }
  outcome finish(const value_type& value)
    requires(!std::is_void_v<typename Task::result_type>)
  {
    result = value;
    return outcome::finished;
  }
  outcome finish()
    requires(std::is_void_v<typename Task::result_type>)
  {
    return outcome::finished;
  }
  outcome sync(std::uint32_t point) { return stop_at(point, outcome::suspended); }
  outcome yield(std::uint32_t point) { return stop_at(point, outcome::yielded); }
  outcome retry() { return outcome::retry; }
  [[nodiscard]] std::uint32_t level() const { return 0; }

  // What a test sees.

  value_type result{};
  std::uint32_t stopped_at = 0;
  std::uint32_t spawned = 0;

  typename Task::frame& frame() { return frame_; }

 private:
  bool take_room() {
    if (room_ == 0) return false;
    --room_;
    ++spawned;
    return true;
  }
  outcome stop_at(std::uint32_t where, outcome how) {
    stopped_at = where;
    return how;
  }

  std::uint32_t room_;
  typename Task::frame frame_{};
  alignas(16) std::byte memory_[256];
};

}  // namespace channels::testing
