// A small library of parallel algorithms over iterators, as the standard library's are: for_each,
// transform, reduce, inclusive_scan, copy_if, merge, sort. Used on structures and pairs.
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "timing.h"

namespace parallel {

constexpr std::ptrdiff_t grain = 1024;

template <class It, class F>
void for_each(It first, It last, F f) {
  const auto n = last - first;
  cilk_for (std::ptrdiff_t i = 0; i < n; ++i) f(first[i]);
}

template <class In, class Out, class F>
Out transform(In first, In last, Out out, F f) {
  const auto n = last - first;
  cilk_for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = f(first[i]);
  return out + n;
}

template <class It, class T, class Op, class Map>
T transform_reduce(It first, It last, T identity, Op op, Map map) {
  if (last - first <= grain) {
    T sum = identity;
    for (; first != last; ++first) sum = op(sum, map(*first));
    return sum;
  }
  const It middle = first + (last - first) / 2;
  T left = cilk_spawn parallel::transform_reduce(first, middle, identity, op, map);
  T right = parallel::transform_reduce(middle, last, identity, op, map);
  cilk_sync;
  return op(left, right);
}

template <class It, class T, class Op>
T reduce(It first, It last, T identity, Op op) {
  return parallel::transform_reduce(first, last, identity, op, [](const T& x) { return x; });
}

// Sums of blocks, their prefix sums, and each block again.
template <class In, class Out, class Op>
Out inclusive_scan(In first, In last, Out out, Op op) {
  using value = typename std::iterator_traits<In>::value_type;
  const std::ptrdiff_t n = last - first, blocks = (n + grain - 1) / grain;
  if (n == 0) return out;
  std::vector<value> sums(blocks);
  cilk_for (std::ptrdiff_t b = 0; b < blocks; ++b) {
    const std::ptrdiff_t from = b * grain, to = std::min(n, from + grain);
    value sum = first[from];
    for (std::ptrdiff_t i = from + 1; i < to; ++i) sum = op(sum, first[i]);
    sums[b] = sum;
  }
  for (std::ptrdiff_t b = 1; b < blocks; ++b) sums[b] = op(sums[b - 1], sums[b]);
  cilk_for (std::ptrdiff_t b = 0; b < blocks; ++b) {
    const std::ptrdiff_t from = b * grain, to = std::min(n, from + grain);
    value sum = b == 0 ? first[from] : op(sums[b - 1], first[from]);
    out[from] = sum;
    for (std::ptrdiff_t i = from + 1; i < to; ++i) out[i] = sum = op(sum, first[i]);
  }
  return out + n;
}

template <class In, class Out, class Predicate>
Out copy_if(In first, In last, Out out, Predicate wanted) {
  const std::ptrdiff_t n = last - first;
  std::vector<std::ptrdiff_t> place(n);
  parallel::transform(first, last, place.begin(),
                      [=](const auto& x) -> std::ptrdiff_t { return wanted(x) ? 1 : 0; });
  parallel::inclusive_scan(place.begin(), place.end(), place.begin(), std::plus<>());
  cilk_for (std::ptrdiff_t i = 0; i < n; ++i) {
    if (wanted(first[i])) out[place[i] - 1] = first[i];
  }
  return n == 0 ? out : out + place[n - 1];
}

// Merges by halving the longer part and looking the middle up in the other one. Stable.
template <class It, class Out, class Less>
void merge(It first1, It last1, It first2, It last2, Out out, Less less) {
  const auto n1 = last1 - first1, n2 = last2 - first2;
  if (n1 + n2 <= grain) {
    std::merge(first1, last1, first2, last2, out, less);
    return;
  }
  It middle1, middle2;
  if (n1 >= n2) {
    middle1 = first1 + n1 / 2;
    middle2 = std::lower_bound(first2, last2, *middle1, less);
  } else {
    middle2 = first2 + n2 / 2;
    middle1 = std::upper_bound(first1, last1, *middle2, less);
  }
  const Out middle = out + (middle1 - first1) + (middle2 - first2);
  cilk_spawn parallel::merge(first1, middle1, first2, middle2, out, less);
  parallel::merge(middle1, last1, middle2, last2, middle, less);
  cilk_sync;
}

// Sorts into `to`, or in place; the other range is scratch.
template <class It, class Buffer, class Less>
void merge_sort(It first, It last, Buffer to, bool in_place, Less less) {
  const auto n = last - first;
  if (n <= 32) {
    for (It i = first; i != last; ++i)
      for (It j = i; j != first && less(*j, *(j - 1)); --j) std::swap(*j, *(j - 1));
    if (!in_place) std::copy(first, last, to);
    return;
  }
  const auto half = n / 2;
  cilk_spawn parallel::merge_sort(first, first + half, to, !in_place, less);
  parallel::merge_sort(first + half, last, to + half, !in_place, less);
  cilk_sync;
  if (in_place)
    parallel::merge(to, to + half, to + half, to + n, first, less);
  else
    parallel::merge(first, first + half, first + half, last, to, less);
}

template <class It, class Less = std::less<>>
void sort(It first, It last, Less less = {}) {
  std::vector<typename std::iterator_traits<It>::value_type> buffer(last - first);
  parallel::merge_sort(first, last, buffer.begin(), true, less);
}

}  // namespace parallel

struct order {
  int customer = 0;
  int item = 0;
  long price = 0;
};

static std::vector<order> make_orders(int n) {
  std::vector<order> all(n);
  unsigned seed = 31;
  const auto next = [&seed] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (order& o : all) o = {static_cast<int>(next() % 997), static_cast<int>(next() % 101), 0};
  return all;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 10000;
  if (n < 1) return 1;
  std::vector<order> orders = make_orders(n), large(n);
  std::vector<long> prices(n), until(n);

  timing_begin();
  parallel::for_each(orders.begin(), orders.end(),
                     [](order& o) { o.price = 100 + o.item * 7 % 50 + o.customer % 3; });
  parallel::sort(orders.begin(), orders.end(), [](const order& a, const order& b) {
    return a.customer != b.customer ? a.customer < b.customer : a.item > b.item;
  });
  parallel::transform(orders.begin(), orders.end(), prices.begin(),
                      [](const order& o) { return o.price; });
  parallel::inclusive_scan(prices.begin(), prices.end(), until.begin(), std::plus<>());
  const long highest = parallel::reduce(prices.begin(), prices.end(), 0L,
                                        [](long a, long b) { return std::max(a, b); });
  const auto last = parallel::copy_if(orders.begin(), orders.end(), large.begin(),
                                      [=](const order& o) { return o.price >= highest - 5; });
  using totals = std::pair<long, long>;
  const totals both = parallel::transform_reduce(
      orders.begin(), orders.end(), totals(0, 0),
      [](const totals& a, const totals& b) {
        return totals(a.first + b.first, a.second + b.second);
      },
      [](const order& o) { return totals(o.item, o.price); });
  timing_end();

  std::uint32_t hash = 0;
  for (const order& o : orders) hash = hash * 31 + o.customer * 101 + o.item;
  for (auto o = large.begin(); o != last; ++o) hash = hash * 31 + o->item;
  const bool sorted =
      std::is_sorted(orders.begin(), orders.end(), [](const auto& a, const auto& b) {
        return a.customer != b.customer ? a.customer < b.customer : a.item > b.item;
      });
  const bool good = sorted && until.back() == std::accumulate(prices.begin(), prices.end(), 0L) &&
                    both.second == until.back();
  std::printf(
      "algorithms on %d orders: %ld in all, at most %ld, %ld large, items %ld, hash %08x, %s\n", n,
      until.back(), highest, static_cast<long>(last - large.begin()), both.first, hash,
      good ? "right" : "WRONG");
  return good ? 0 : 1;
}
