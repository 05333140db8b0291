#pragma once

#include "runtime/host_code/pool.hpp"

namespace channels::host_code {

/// Runs `c` in this thread, as the root of a stack of its own, with views of its own.
void run_child(pool& p, worker& me, child& c);

/// Runs what `me` has stolen, and tells its parent.
void run_stolen(pool& p, worker& me, child& c);

/// A worker's time without anything to run: asks for children, and uses the processor less and
/// less.
class search {
 public:
  search(pool& p, worker& me) : pool_(p), me_(me) {}
  search(const search&) = delete;
  search& operator=(const search&) = delete;
  ~search() { end(); }

  /// Called each time that nothing was found. Ends after a while, at most some hundred
  /// microseconds. `asking`: the worker could run something.
  void wait(bool asking = true);
  /// Something was found.
  void end();
  [[nodiscard]] bool for_too_long() const { return searching_ && now_ - since_ > pace::patience; }

 private:
  pool& pool_;
  worker& me_;
  bool searching_ = false;
  bool hungry_ = false;
  std::uint64_t since_ticks_ = 0;
  clock::time_point since_;
  clock::time_point now_;
  clock::time_point asked_;
};

}  // namespace channels::host_code
