// cilk_for: a loop that gives away half of what is left of it.

#include <algorithm>  // min, max

#include "runtime/native/run.hpp"

namespace channels::native {
namespace {

/// Between two looks whether somebody is hungry. Long against the look, short against the time that
/// a hungry worker could wait.
constexpr std::chrono::microseconds turn{2};

struct loop {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t grain;  ///< 0: by time
  std::uint64_t turn;   ///< iterations that were found to take `turn`; 0 if that is not known
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
  if (this_worker != nullptr) ++this_worker->counted.loop_splits;
  channels_cilk_give(&frame, run_loop, nullptr, &half, sizeof half);
}

/// Whether somebody wants half of `l`.
bool wanted(const channels_cilk_frame& frame, const loop& l) {
  const std::uint64_t left = l.end - l.begin;
  if (left <= std::max<std::uint64_t>(l.grain, 1)) return false;
  if (channels_cilk_hungry(&frame)) return true;
  // Frames as deep as this may have given children that were too small. This one is known not to
  // be.
  return l.turn != 0 && left / 8 > l.turn &&
         __atomic_load_n(&channels_cilk_limit, __ATOMIC_RELAXED) != UINTPTR_MAX;
}

void go_through(channels_cilk_frame& frame, loop& l) {
  while (l.begin < l.end) {
    if (wanted(frame, l)) {
      split(frame, l);
      continue;
    }
    const std::uint64_t step = l.grain != 0 ? l.grain : std::max<std::uint64_t>(l.turn, 1);
    const std::uint64_t to = l.begin + std::min(step, l.end - l.begin);
    if (l.grain != 0) {
      l.run(l.closure, l.begin, to);
    } else {
      const auto start = clock::now();
      l.run(l.closure, l.begin, to);
      const auto took = clock::now() - start;
      if (took < turn / 2) {
        l.turn = step * 2;
      } else if (took > turn * 2) {
        l.turn = std::max<std::uint64_t>(step / 2, 1);
      } else {
        l.turn = step;
      }
    }
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
}  // namespace channels::native

using namespace channels::native;

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
  go_through({0, count, grain, 0, run, closure});
}
