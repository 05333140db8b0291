// for over a range, variables in conditions, nested containers, default arguments, switch.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <cstdio>
#include <vector>

struct node {
  long value = 0;
  std::vector<node> children;
};

static long total(const node& of, int depth = 0) {
  long sums[4] = {0, 0, 0, 0};
  int i = 0;
  for (const node& each : of.children) {
    sums[i] = cilk_spawn total(each, depth + 1);
    ++i;
  }
  cilk_sync;
  long sum = of.value * (depth + 1);
  for (long each : sums) sum += each;
  return sum;
}

static void grow(node& at, long value, int depth) {
  at.value = value;
  if (depth == 0) return;
  at.children.resize(static_cast<std::size_t>(value % 3 + 1));
  for (node& each : at.children) grow(each, ++value * 5 % 11, depth - 1);
}

static const node* first_with(const node& of, long value) {
  return of.value == value ? &of : nullptr;
}

static long search(const node& of, long value) {
  if (const node* found = first_with(of, value)) return found->value;
  long best = -1;
  for (const node& each : of.children) {
    if (long here = search(each, value); here > best) best = here;
  }
  return best + total(of) % 2;
}

int main() {
  node root;
  grow(root, 7, 7);
  std::printf("%ld %ld %ld\n", total(root), search(root, 9), search(root, 77));
  return 0;
}
