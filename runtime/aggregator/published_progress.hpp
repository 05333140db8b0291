#pragma once

#include "channels/detail/run_progress.hpp"

namespace channels::detail {

/// How far the run is, for other threads. Invariant: each figure is one that the aggregator's
/// thread published last; the four need not be of the same moment.
class published_progress {
 public:
  /// For the aggregator's thread.
  void publish(const run_progress& now) {
    store(now_.tasks, now.tasks);
    store(now_.yields, now.yields);
    store(now_.memory, now.memory);
    store(now_.level, now.level);
  }
  /// For any thread.
  [[nodiscard]] run_progress seen() const {
    return {load(now_.tasks), load(now_.yields), load(now_.memory), load(now_.level)};
  }

 private:
  // Relaxed, both: nothing else is read because of a figure, and each may be a moment old.
  template <class T>
  static void store(T& to, T value) {
    __atomic_store_n(&to, value, __ATOMIC_RELAXED);
  }
  template <class T>
  static T load(const T& from) {
    return __atomic_load_n(&from, __ATOMIC_RELAXED);
  }

  run_progress now_;
};

}  // namespace channels::detail
