#include "runtime/races/views.hpp"

#include <algorithm>  // copy
#include <cstdlib>    // aligned_alloc, free
#include <iterator>   // end
#include <vector>     // vector

#include "runtime/races/detector.hpp"
#include "runtime/races/mapped.hpp"

namespace channels::races {
namespace {

struct strand_view {
  std::uint64_t strand;
  void* leftmost;
  void* at;  ///< the variable itself in the strand that declares it
  void (*reduce)(void*, void*);
};

// Never destroyed: the program's own destructors may spawn.
std::vector<strand_view>& views() {
  static auto* const all = new std::vector<strand_view>;
  return *all;
}

void keep(const strand_view& view) {
  views().push_back(view);
  any_views = true;
}

/// The views of strands after `strand`, which are forgotten here.
std::vector<strand_view> take_views_after(std::uint64_t strand) {
  auto& all = views();
  auto first = all.end();
  while (first != all.begin() && (first - 1)->strand > strand) --first;
  std::vector<strand_view> taken(first, all.end());
  all.erase(first, all.end());
  any_views = !all.empty();
  return taken;
}

strand_view* find(std::uint64_t strand, const void* leftmost) {
  auto& all = views();
  for (auto at = all.rbegin(); at != all.rend() && at->strand >= strand; ++at) {
    if (at->strand == strand && at->leftmost == leftmost) return &*at;
  }
  return nullptr;
}

std::size_t rounded(std::size_t size) { return (size + 63) / 64 * 64; }

}  // namespace

std::uint64_t view_strand = 0;
std::uint64_t newest_view_strand = 0;
bool any_views = false;

frame_base first_frames[1024] = {};
frame_base* newest_frame = first_frames;
frame_base* last_place = std::end(first_frames) - 1;

void grow_frames() {
  static frame_base* all = first_frames;
  const std::size_t had = static_cast<std::size_t>(last_place - all) + 1;
  auto* const grown = mapped_array<frame_base>(2 * had);
  std::copy(all, all + had, grown);
  if (all != first_frames) munmap(all, had * sizeof(frame_base));
  all = grown;
  newest_frame = all + had - 1;
  last_place = all + 2 * had - 1;
}

void next_iteration_views(std::uint64_t& loop) {
  const auto [frame, base] = *newest_frame;
  const std::uint64_t ended = view_strand;
  next_strand_views();
  if (!any_views || ended == base) return;
  if (loop == 0) loop = ended;
  if (loop == ended) return;  // its views stay: those of later iterations are reduced into them
  // Iterations are parallel, and what combines their views runs between them.
  const open_child before = the_detector.strands.leave_iterations(frame);
  for (strand_view one : take_views_after(ended - 1)) {
    const strand_view* const known = find(loop, one.leftmost);
    if (known == nullptr) {
      one.strand = loop;
      keep(one);
    } else {
      one.reduce(known->at, one.at);
      std::free(one.at);
    }
  }
  the_detector.strands.go_on_with(before);
}

void reduce_views_after(std::uint64_t base) {
  for (strand_view one : take_views_after(base)) {
    strand_view* const known = find(base, one.leftmost);
    void* const into = known != nullptr ? known->at : base == 0 ? one.leftmost : nullptr;
    if (into == nullptr || one.at == one.leftmost) {
      one.strand = base;
      keep(one);
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
  const std::uint64_t strand = view_strand;
  if (const strand_view* known = find(strand, leftmost)) return known->at;
  if (strand == 0) return leftmost;
  void* const made = std::aligned_alloc(64, rounded(size));
  identity(made);
  keep({strand, leftmost, made, reduce});
  return made;
}

void channels_cilk_reducer_begin(void* leftmost, std::size_t /*size*/, void (* /*identity*/)(void*),
                                 void (*reduce)(void*, void*)) {
  if (!on) return;
  if (view_strand != 0) keep({view_strand, leftmost, leftmost, reduce});
}

void channels_cilk_reducer_end(void* leftmost) {
  if (!on) return;
  auto& all = views();
  for (std::size_t i = all.size(); i-- != 0;) {
    if (all[i].leftmost != leftmost) continue;
    if (all[i].at != leftmost) {
      all[i].reduce(leftmost, all[i].at);
      std::free(all[i].at);
    }
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    any_views = !all.empty();
    return;
  }
}
}
