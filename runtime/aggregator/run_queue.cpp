#include "runtime/aggregator/run_queue.hpp"

#include <algorithm>  // min, sort, copy_n

namespace channels::detail {

void run_queue::push(run r) {
  count_ += r.count;
  if (front_ == runs_.size()) {
    runs_.clear();
    front_ = 0;
  }
  if (front_ != runs_.size() && runs_.back().end() == r.first &&
      runs_.back().count <= channel_geometry::largest_capacity) {
    runs_.back().count += r.count;
  } else {
    runs_.push_back(r);
  }
}

void run_queue::push_front(run r) {
  count_ += r.count;
  if (front_ != 0) {
    runs_[--front_] = r;
  } else {
    runs_.insert(runs_.begin(), r);
  }
}

std::uint32_t run_queue::take(run* into, std::uint32_t runs, std::uint32_t most,
                              std::uint32_t& taken_runs) {
  std::uint32_t taken = 0;
  taken_runs = 0;
  while (taken_runs < runs && taken < most && front_ < runs_.size()) {
    run& r = runs_[front_];
    const std::uint32_t count = std::min(r.count, most - taken);
    into[taken_runs++] = {r.first, count};
    r.first += count;
    r.count -= count;
    taken += count;
    if (r.count == 0) ++front_;
  }
  if (front_ > 64 && front_ > runs_.size() / 2) {
    runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(front_));
    front_ = 0;
  }
  count_ -= taken;
  return taken;
}

std::uint32_t run_queue::copy_by_ticket(run* to, std::uint32_t most) const {
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(runs(), most));
  std::copy_n(runs_.begin() + static_cast<std::ptrdiff_t>(front_), count, to);
  std::sort(to, to + count, [](const run& a, const run& b) { return a.first < b.first; });
  return count;
}

}  // namespace channels::detail
