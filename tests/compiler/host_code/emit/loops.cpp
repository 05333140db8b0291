// A cilk_for in C++ is a lambda; so is one in a template.
// RUN: %cilk2chan --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
template <class Iterator>
void each(Iterator begin, Iterator end) {
  // CHECK: { Iterator it = begin; const auto cilk_limit = end; const auto cilk_first = it; const std::uint64_t cilk_trips = channels::cilk::trips(it != cilk_limit, cilk_first, cilk_limit, 1, false); channels::cilk::for_each_range(cilk_trips, 0, [&](std::uint64_t cilk_begin, std::uint64_t cilk_end) { for (auto it = channels::cilk::nth(cilk_first, cilk_begin, 1); cilk_begin != cilk_end; ++cilk_begin, ++it) { channels::cilk::frame cilk_frame; try {
  cilk_for (Iterator it = begin; it != end; ++it) {
    // CHECK: channels::cilk::give_child(cilk_frame, [cilk_1 = *it]() mutable { leaf(cilk_1); }) : (void)(leaf(*it));
    cilk_spawn leaf(*it);
    // CHECK: } catch (...) { cilk_frame.sync(); throw; } } }); }
  }
}
