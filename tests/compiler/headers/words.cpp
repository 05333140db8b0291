// The words without a header in C++, and from a header of the program's own.
// RUN: %host-code-run-and-compare %s
#include "inputs/keywords.hpp"
#include <cstdio>
#include <vector>

struct node {
  std::vector<node> below;
  int value;
  long sum() const {
    std::vector<long> parts(below.size());
    cilk_for (std::size_t i = 0; i < below.size(); ++i) parts[i] = below[i].sum();
    long total = value;
    for (long one : parts) total += one;
    return total;
  }
};

static node tree(int depth) {
  node made{{}, depth};
  if (depth > 0) made.below = {tree(depth - 1), tree(depth - 1)};
  return made;
}

static long twice(const node& of) {
  long a = cilk_spawn of.sum();
  long b = of.sum();
  cilk_sync;
  return a + b;
}

int main() { std::printf("%ld\n", twice(tree(9))); }
