// Containers of the library and its sorts in tasks, and objects of `new`: what they allocate with, and the stack that
// they want. The host deletes what tasks have made.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --emit=tasks %s | FileCheck %s
// CHECK: gpu_unit cilk_unit{{.*}}.recursion = true,
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

// The median of numbers that each call makes for itself.
static long median(unsigned seed, int n) {
  std::vector<long> all(n), odd;
  for (long& one : all) one = (seed = seed * 1664525u + 1013904223u) >> 16;
  for (const long one : all)
    if (one % 2 != 0) odd.push_back(one);
  std::sort(all.begin(), all.end());
  return all[n / 2] + std::accumulate(odd.begin(), odd.end(), 0L) % 1000;
}

// Ways that the library goes only for some types and numbers: what fills, copies one, moves, grows.
struct cell {
  int value;
  cell* next;
};
static long ways(int seed) {
  std::vector<int> filled(30, 7), grown = filled, one{seed}, other(1), merged(31);
  grown.resize(50, 3);
  grown.insert(grown.begin() + 3, 99);
  grown.erase(grown.begin() + 1, grown.begin() + 4);
  std::copy(one.begin(), one.end(), other.begin());
  std::merge(filled.begin(), filled.end(), one.begin(), one.end(), merged.begin());
  std::vector<std::vector<int>> nested(4, std::vector<int>(3, seed));
  nested[2].push_back(5);
  nested.push_back({1, 2, 3});
  std::vector<bool> flags(70, true);
  flags[seed % 70] = false;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 20; i++) pairs.emplace_back(i * seed % 17, i);
  std::sort(pairs.begin(), pairs.end());
  cell* list = nullptr;
  for (int i = 0; i < 5; i++) list = new cell{i + seed, list};
  long sum = other[0];
  while (list != nullptr) {
    cell* const next = list->next;
    sum = sum * 31 + list->value;
    delete list;
    list = next;
  }
  int* const numbers = new int[10]{1, 2, 3};
  sum += std::accumulate(numbers, numbers + 10, 0);
  delete[] numbers;
  std::fill(filled.begin(), filled.end(), 2);
  for (const auto& pair : pairs) sum = sum * 31 + pair.first * 7 + pair.second;
  for (const auto& each : nested)
    for (const int x : each) sum = sum * 31 + x;
  for (const bool flag : flags) sum = sum * 2 + (flag ? 1 : 0);
  for (const auto* const each : {&filled, &grown, &merged})
    for (const int x : *each) sum = sum * 31 + x;
  return sum % 1000003;
}

struct tree {
  long value = 0;
  tree* parts[2] = {};
  ~tree() {
    for (tree* one : parts) delete one;
  }
};
static void grow(tree* here, int depth, int seed) {
  here->value = ways(seed);
  if (depth == 0) return;
  for (int i = 0; i < 2; i++) {
    here->parts[i] = new tree;
    cilk_spawn grow(here->parts[i], depth - 1, 2 * seed + i);
  }
  cilk_sync;
}
static long sum_of(const tree& one) {
  return one.value + (one.parts[0] == nullptr ? 0 : 3 * sum_of(*one.parts[0]) + 5 * sum_of(*one.parts[1]));
}

static long medians(int from, int to) {
  if (to - from == 1) return median(from, 50 + from % 100);
  const int middle = (from + to) / 2;
  const long left = cilk_spawn medians(from, middle);
  const long right = medians(middle, to);
  cilk_sync;
  return left + right;
}

int main() {
  tree root;
  grow(&root, 6, 1);
  std::printf("%ld %ld\n", medians(0, 200), sum_of(root));
  return 0;
}
