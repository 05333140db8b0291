// Mergesort and matrix power with vectors by value: arguments are moved into the spawned functions
// and results out of them, and a vector's capacity is freed where the serial program frees it.
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "timing.h"

template <class T>
using row = std::vector<T>;
using matrix = std::vector<row<std::uint32_t>>;

static int live;  // objects of counted that exist; only the leftmost strand looks

struct counted {
  counted() { __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED); }
  counted(const counted&) : counted() {}
  counted(counted&&) noexcept : counted() {}
  counted& operator=(const counted&) = default;
  ~counted() { __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED); }
};

template <class T>
static std::vector<T> merge_sorted(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> r;
  r.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(r));
  return r;
}

template <class T>
std::vector<T> mergesort(std::vector<T> v, counted = {}) {
  if (v.size() <= 16) {
    std::sort(v.begin(), v.end());
    return v;
  }
  const auto middle = v.begin() + v.size() / 2;
  std::vector<T> left = cilk_spawn mergesort(std::vector<T>(v.begin(), middle));
  std::vector<T> right(middle, v.end());
  right = mergesort(std::move(right));
  cilk_sync;
  return merge_sorted(left, right);
}

static row<std::uint32_t> times(const row<std::uint32_t>& r, const matrix& m) {
  row<std::uint32_t> out(m[0].size());
  for (std::size_t k = 0; k < m.size(); ++k)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += r[k] * m[k][j];
  return out;
}

static matrix product(const matrix& a, const matrix& b) {
  matrix c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = cilk_spawn times(a[i], b);
  cilk_sync;
  return c;
}

static matrix power(matrix m, unsigned exponent) {
  if (exponent == 1) return m;
  matrix half = power(m, exponent / 2);
  half = product(half, half);
  if (exponent % 2 == 0) return half;
  return product(std::move(half), m);
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 20000;
  const int side = 24;
  std::vector<long> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<long>(i * 2654435761u % 1000003);
  matrix m(side, row<std::uint32_t>(side));
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) m[i][j] = (i * 7 + j * 3) % 5;

  timing_begin();
  const std::vector<long> sorted = cilk_spawn mergesort(values);
  const matrix p = power(m, 25);
  cilk_sync;
  timing_end();

  std::sort(values.begin(), values.end());
  std::uint32_t hash = 0;
  for (const auto& r : p)
    for (auto x : r) hash = hash * 31 + x;
  const bool good = sorted == values && live == 0;
  std::printf("mergesort of %d, matrix to the 25th: hash %08x, %d left over, %s\n", n, hash, live,
              good ? "sorted" : "WRONG");
  return good ? 0 : 1;
}
