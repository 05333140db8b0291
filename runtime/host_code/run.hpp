#pragma once

#include "runtime/host_code/worker_pool.hpp"

namespace channels::host_code {

/// Runs `c` in this thread, with its own depth and its own views.
void run_child(worker_pool& p, worker& me, child& c);

/// Runs a child that `me` has taken from another worker, and tells the parent that it has ended.
void run_taken(worker_pool& p, worker& me, child& c);

/// A worker's search for something to run: it asks for children, and uses the processor less and
/// less.
class search {
 public:
  /// `of_taker`: the worker would run any child.
  search(worker_pool& p, worker& me, bool of_taker) : pool_(p), me_(me), of_taker_(of_taker) {}
  search(const search&) = delete;
  search& operator=(const search&) = delete;
  ~search() { end(); }

  /// Waits, at most some hundred microseconds. Call it each time nothing was found. `asking`: the
  /// worker could run a child, so it is hungry.
  void wait(bool asking = true);
  /// Ends the search: something was found.
  void end();
  /// Whether nothing was found for longer than that.
  [[nodiscard]] bool for_as_long(clock::duration time) const {
    return searching_ && now_ - since_ > time;
  }

 private:
  worker_pool& pool_;
  worker& me_;
  bool of_taker_;
  bool searching_ = false;
  bool hungry_ = false;
  std::uint64_t since_ticks_ = 0;
  clock::time_point since_;
  clock::time_point now_;
  clock::time_point asked_;
};

}  // namespace channels::host_code
