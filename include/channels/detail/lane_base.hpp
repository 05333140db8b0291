#pragma once

#include <cstdint>      // fixed-width integers
#include <type_traits>  // is_void_v

#include "channels/config.hpp"
#include "channels/task.hpp"

/// Before a function of a lane that the host and GPUs share. It has to disappear into the task's
/// node: what a lane holds is in registers only then.
#if defined(__GNUC__)
#define CHANNELS_LANE_INLINE inline __attribute__((always_inline)) CHANNELS_DEVICE
#else
#define CHANNELS_LANE_INLINE inline CHANNELS_DEVICE
#endif

namespace channels::detail {

/// What all lanes write alike (lane.hpp has the meaning). `Lane`, which derives from this and makes
/// it a friend, has
///
/// - `template <task Child> bool add_child(Child::result_type* slot, const Child::arguments&)`,
///   where `slot` is null if the child has no result;
/// - `template <class Value> void put_result(const Value&)`.
template <class Lane, task Task>
class lane_base {
 public:
  using frame_type = typename Task::frame;
  using result_type = typename Task::result_type;

  CHANNELS_FOR_HOST_LANES
  template <task Child>
  [[nodiscard]] CHANNELS_LANE_INLINE bool spawn(typename Child::result_type* slot,
                                                const typename Child::arguments& arguments)
    requires(!std::is_void_v<typename Child::result_type>)
  {
    return self().template add_child<Child>(slot, arguments);
  }
  CHANNELS_FOR_HOST_LANES
  template <task Child>
  [[nodiscard]] CHANNELS_LANE_INLINE bool spawn(const typename Child::arguments& arguments)
    requires(std::is_void_v<typename Child::result_type>)
  {
    return self().template add_child<Child>(nullptr, arguments);
  }
  CHANNELS_FOR_HOST_LANES
  template <class Value>
  [[nodiscard]] CHANNELS_LANE_INLINE outcome finish(Value value) {
    // By value: where the task reads what it must not, a sanitizer names the line of the task.
    self().put_result(value);
    return outcome::finished;
  }
  [[nodiscard]] CHANNELS_LANE_INLINE outcome finish() { return outcome::finished; }
  [[nodiscard]] CHANNELS_LANE_INLINE outcome retry() { return outcome::retry; }

 private:
  [[nodiscard]] CHANNELS_LANE_INLINE Lane& self() { return static_cast<Lane&>(*this); }
};

/// The same for lanes that run a task until it ends or waits, and keep its point meanwhile.
template <class Lane, task Task>
class lane_base_with_point : public lane_base<Lane, Task> {
 public:
  [[nodiscard]] CHANNELS_LANE_INLINE outcome sync(std::uint32_t point) {
    point_ = point;
    return outcome::suspended;
  }
  [[nodiscard]] CHANNELS_LANE_INLINE outcome yield(std::uint32_t point) {
    point_ = point;
    return outcome::yielded;
  }

 protected:
  std::uint32_t point_ = 0;  ///< where the task goes on
};

}  // namespace channels::detail
