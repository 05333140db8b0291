// cilk_for: a loop that gives away half of what is left of it.

#include <algorithm>  // min, max
#include <array>      // array

#include "runtime/host_code/run.hpp"

namespace channels::host_code {
namespace {

/// Between two looks at the clock. Long against the look, short against the time that a hungry
/// worker could wait.
constexpr std::chrono::nanoseconds turn{2000};

/// What a thread has learned of a loop: how many of its iterations take a turn. Loops are told
/// apart by their bodies; those that share a place here learn anew.
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

/// Measures how long iterations take: the first steps of a loop, and then not more often than once
/// a turn.
class stopwatch {
 public:
  stopwatch(experience& e, bool on) : learned_(e), on_(on) {
    if (on) last_ = clock::now();
  }

  /// `iterations` more have run.
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
  std::uint64_t grain;  ///< 0: by time
  void (*run)(void*, std::uint64_t, std::uint64_t);
  void* closure;
};

void go_through(loop l);

void run_loop(void* closure) { go_through(*static_cast<loop*>(closure)); }

/// Gives the first half of what is left of `l` away and keeps the second. The first: so the child
/// comes before what its parent goes on with in serial order, as children do.
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

/// Whether somebody wants half of `l`.
bool wanted(const channels_cilk_frame& frame, const loop& l, std::uint64_t in_a_turn) {
  const std::uint64_t left = l.end - l.begin;
  if (left <= std::max<std::uint64_t>(l.grain, 1)) return false;
  if (channels_cilk_hungry(&frame)) return true;
  // Frames as deep as this may have given children that were too small. This one's is known not to
  // be.
  return left / 8 > in_a_turn &&
         __atomic_load_n(&channels_cilk_limit, __ATOMIC_RELAXED) != UINTPTR_MAX;
}

void go_through(channels_cilk_frame& frame, loop& l) {
  experience& learned = experience_with(l.run);
  // A body that is usually quick may be slow this time: no step is more than an eighth of the loop.
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
    // What a half that was given away has thrown comes before.
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
  pool& p = pool::instance();
  if (this_worker == nullptr) p.attach(false);
  if (this_worker == nullptr && grain == 0) {
    run(closure, 0, count);
    return;
  }
  go_through({0, count, grain, run, closure});
}
