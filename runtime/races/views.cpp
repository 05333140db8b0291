#include "runtime/races/views.hpp"

#include <cstdlib>  // aligned_alloc, free
#include <vector>   // vector

#include "runtime/races/detector.hpp"

namespace channels::races {
namespace {

struct kept_view {
  std::uint64_t strand;
  void* leftmost;
  void* at;  ///< the variable itself in the strand that declares it
  void (*reduce)(void*, void*);
};

struct frame_base {
  const channels_cilk_frame* frame;
  std::uint64_t strand;
};

struct view_stacks {
  std::uint64_t newest = 0;
  std::vector<kept_view> views;
  std::vector<frame_base> frames;
};

view_stacks* made_stacks = nullptr;
// Never destroyed: the program's own destructors may spawn.
inline view_stacks& stacks() {
  if (made_stacks == nullptr) made_stacks = new view_stacks;
  return *made_stacks;
}

std::uint64_t current = 0;

kept_view* find(std::uint64_t strand, const void* leftmost) {
  auto& views = stacks().views;
  for (auto at = views.rbegin(); at != views.rend() && at->strand >= strand; ++at) {
    if (at->strand == strand && at->leftmost == leftmost) return &*at;
  }
  return nullptr;
}

std::size_t rounded(std::size_t size) { return (size + 63) / 64 * 64; }

}  // namespace

void begin_frame_views(const channels_cilk_frame* frame) {
  auto& frames = stacks().frames;
  if (!frames.empty() && frames.back().frame == frame) return;
  frames.push_back({frame, current});
}

void next_strand_views() { current = ++stacks().newest; }

void join_views(const channels_cilk_frame* frame) {
  auto& frames = stacks().frames;
  if (frames.empty() || frames.back().frame != frame) return;
  const std::uint64_t base = frames.back().strand;
  frames.pop_back();
  current = base;  // 0 is the leftmost strand, whose views are the variables
  auto& views = stacks().views;
  std::size_t first = views.size();
  while (first != 0 && views[first - 1].strand > base) --first;
  if (first == views.size()) return;
  const std::vector<kept_view> later(views.begin() + static_cast<std::ptrdiff_t>(first),
                                     views.end());
  views.resize(first);
  for (const kept_view& one : later) {
    kept_view* const known = find(base, one.leftmost);
    void* const into = known != nullptr ? known->at : base == 0 ? one.leftmost : nullptr;
    if (into == nullptr || one.at == one.leftmost) {
      views.push_back(one);
      views.back().strand = base;
      continue;
    }
    one.reduce(into, one.at);
    std::free(one.at);
  }
}

}  // namespace channels::races

using namespace channels::races;

extern "C" {

CHANNELS_CILK_THREAD channels_cilk_views* channels_cilk_strand = nullptr;

void* channels_cilk_find_view(void* leftmost, std::size_t size, void (*identity)(void*),
                              void (*reduce)(void*, void*)) {
  if (!on) return leftmost;
  const std::uint64_t strand = current;
  if (const kept_view* known = find(strand, leftmost)) return known->at;
  if (strand == 0) return leftmost;
  void* const made = std::aligned_alloc(64, rounded(size));
  identity(made);
  stacks().views.push_back({strand, leftmost, made, reduce});
  return made;
}

void channels_cilk_reducer_begin(void* leftmost, std::size_t /*size*/, void (* /*identity*/)(void*),
                                 void (*reduce)(void*, void*)) {
  if (!on) return;
  if (current != 0) stacks().views.push_back({current, leftmost, leftmost, reduce});
}

void channels_cilk_reducer_end(void* leftmost) {
  if (!on) return;
  auto& views = stacks().views;
  for (std::size_t i = views.size(); i-- != 0;) {
    if (views[i].leftmost != leftmost) continue;
    if (views[i].at != leftmost) {
      views[i].reduce(leftmost, views[i].at);
      std::free(views[i].at);
    }
    views.erase(views.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}
}
