// cilk_for: a loop that gives half of its remaining iterations to a hungry worker.

#include <algorithm>  // min, max
#include <array>      // array

#include "runtime/host_code/run.hpp"

namespace channels::host_code {
namespace {

/// Time between two checks for hungry workers. It is long compared with reading the clock, and
/// short compared with the time that a hungry worker can wait.
constexpr std::chrono::nanoseconds turn{2000};

/// What a thread has learned about a loop: how many of its iterations take one turn. The body's
/// address names the loop; two loops with the same slot replace each other.
struct experience {
  void (*run)(void*, std::uint64_t, std::uint64_t) = nullptr;
  std::uint64_t turn = 1;
};

experience& experience_with(void (*run)(void*, std::uint64_t, std::uint64_t)) {
  static thread_local constinit std::array<experience, 64> all{};
  // Functions begin at multiples of 16.
  experience& e = all[(reinterpret_cast<std::uintptr_t>(run) >> 4U) % all.size()];
  if (e.run != run) e = {run, 1};
  return e;
}

/// Measures how long iterations take: the first step of a loop, then at most once a turn.
class stopwatch {
 public:
  stopwatch(experience& e, bool on) : learned_(e), on_(on) {
    if (on) last_ = clock::now();
  }

  /// Notes that `iterations` more have run.
  void lap(std::uint64_t iterations) {
    since_ += iterations;
    if (!on_ || (since_ < learned_.turn && !first_)) return;
    first_ = false;
    const auto now = clock::now();
    const auto took = now - last_;
    if (since_ >= learned_.turn && took < turn / 2) {
      learned_.turn = since_ * 2;
    } else if (took > turn * 2) {
      learned_.turn = std::max<std::uint64_t>(since_ * turn / took, 1);
    }
    since_ = 0;
    last_ = now;
  }

 private:
  experience& learned_;
  bool on_;
  bool first_ = true;
  std::uint64_t since_ = 0;
  clock::time_point last_;
};

struct loop {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t grain;  ///< iterations in one step; 0: as many as take a turn
  void (*run)(void*, std::uint64_t, std::uint64_t);
  void* closure;
};

void go_through(loop l);

void run_loop(void* closure) { go_through(*static_cast<loop*>(closure)); }

/// Gives away the first half of the remaining iterations of `l` and keeps the second half. The
/// first half, because a child comes before the rest of its parent in serial order.
void split(channels_cilk_frame& frame, loop& l) {
  loop half = l;
  half.end = l.begin + (l.end - l.begin) / 2;
  l.begin = half.end;
  if (this_worker != nullptr) {
    ++this_worker->counted.loop_splits;
    if (this_worker->trace != nullptr) this_worker->trace->halved_loop();
  }
  channels_cilk_give(&frame, run_loop, nullptr, &half, sizeof half);
}

/// Whether a worker wants half of `l`.
bool wanted(const channels_cilk_frame& frame, const loop& l, std::uint64_t in_a_turn) {
  const std::uint64_t left = l.end - l.begin;
  // As many pieces as workers without end would make.
  if (worker_pool::instance().measures()) return left >= 2 * std::max(l.grain, in_a_turn);
  if (left <= std::max<std::uint64_t>(l.grain, 1)) return false;
  if (channels_cilk_hungry(&frame)) return true;
  // Frames at this depth may have given children that were too small. Half of this loop is known to
  // be large enough. Relaxed: see channels_cilk_limit.
  return left / 8 > in_a_turn &&
         __atomic_load_n(&channels_cilk_limit, __ATOMIC_RELAXED) != UINTPTR_MAX;
}

void go_through(channels_cilk_frame& frame, loop& l) {
  experience& learned = experience_with(l.run);
  // The body may be slower this time, so no step is more than an eighth of the loop.
  const std::uint64_t all = l.end - l.begin;
  const std::uint64_t most = std::max<std::uint64_t>(all / 8, 1);
  stopwatch watch(learned, most > 1 || all >= learned.turn);
  while (l.begin < l.end) {
    if (wanted(frame, l, learned.turn)) {
      split(frame, l);
      continue;
    }
    const std::uint64_t step = l.grain != 0 ? l.grain : std::min(learned.turn, most);
    const std::uint64_t to = l.begin + std::min(step, l.end - l.begin);
    l.run(l.closure, l.begin, to);
    watch.lap(to - l.begin);
    l.begin = to;
  }
}

void go_through(loop l) {
  channels_cilk_frame frame{nullptr};
  try {
    go_through(frame, l);
  } catch (...) {
    // An exception of a half that was given away is serially earlier.
    channels_cilk_sync(&frame);
    throw;
  }
  channels_cilk_sync(&frame);
}

}  // namespace
}  // namespace channels::host_code

using namespace channels::host_code;

extern "C" void channels_cilk_for(std::uint64_t count, std::uint64_t grain,
                                  void (*run)(void* closure, std::uint64_t begin,
                                              std::uint64_t end),
                                  void* closure) {
  if (count == 0) return;
  worker_pool& p = worker_pool::instance();
  if (this_worker == nullptr) p.attach(false);
  if (this_worker == nullptr && grain == 0) {
    run(closure, 0, count);
    return;
  }
  go_through({0, count, grain, run, closure});
}
