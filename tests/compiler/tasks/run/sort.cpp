// C++: a namespace, overloads, a structure with a constructor, templates and containers outside of tasks.
// RUN: %tasks-run-and-compare %s 2000
#include <cilk/cilk.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace sorting {

struct span {
  int* first = nullptr;
  int count = 0;
  span() = default;
  span(int* f, int c) : first(f), count(c) {}
  int* end() const { return first + count; }
};

void sort(span part, int* scratch);

void sort(int* first, int count) {
  std::vector<int> scratch(count);
  sort(span(first, count), scratch.data());
}

template <class T>
void merge(T from, T middle, T to, T out) {
  std::merge(from, middle, middle, to, out);
}

void sort(span part, int* scratch) {
  if (part.count < 16) {
    std::sort(part.first, part.end());
    return;
  }
  const int half = part.count / 2;
  auto lower = span(part.first, half);
  span upper{part.first + half, part.count - half};
  cilk_spawn sort(lower, scratch);
  cilk_spawn sort(upper, scratch + half);
  cilk_sync;
  sorting::merge(part.first, upper.first, part.end(), scratch);
  for (int i = 0; i < part.count; ++i) part.first[i] = scratch[i];
}

}  // namespace sorting

int main(int argc, char** argv) {
  (void)argc;
  std::vector<int> values(std::atoi(argv[1]));
  unsigned seed = 1;
  for (int& value : values) value = static_cast<int>((seed = seed * 1103515245u + 12345u) >> 8) % 1000;
  sorting::sort(values.data(), static_cast<int>(values.size()));
  long check = 0;
  for (std::size_t i = 0; i < values.size(); ++i) check += static_cast<long>(i) * values[i];
  std::printf("%ld %d\n", check, std::is_sorted(values.begin(), values.end()) ? 1 : 0);
}
