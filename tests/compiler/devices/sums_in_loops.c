// Tasks that spawn in loops and do nothing after their sync but add up what their children return: on a GPU nobody
// waits for that, either.
// RUN: %cilk2chan --emit=tasks %s | FileCheck %s
// RUN: %cilk2chan --serial %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff %t.expected -
// RUN: %cilk2chan -O0 --device=emulated --stacks=pooled %s -o %t.group && env CHANNELS_DEVICE=emulated %t.group | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.3 CHANNELS_SEED=3 %t.out | diff %t.expected -
// RUN: env CHANNELS_ORDER=channels CHANNELS_FORCE_YIELD=0.3 CHANNELS_READINESS=counted %t.out | diff %t.expected -
// RUN: %t.out | diff %t.expected -
#include <cilk/cilk.h>
#include <stdio.h>

typedef struct { unsigned all, columns, left, right; } board;

// Elements one after the other, as there are children.
// CHECK: {{^}}struct queens_task {
// CHECK: {{^}}  struct frame {
// CHECK-NEXT: board b;
// CHECK-NEXT: unsigned int safe;
// CHECK-NEXT: board below;
// CHECK-NEXT: long counts[32];
// CHECK-NEXT: int children;
// CHECK: {{^}}  static constexpr bool shares_frame = false;
// CHECK: {{^}}  static constexpr bool sums_up = true;
// CHECK-NEXT: {{^}}  static constexpr std::size_t kept_frame = __builtin_offsetof(frame, counts);
// CHECK: if constexpr (channels::adds_results<Lane>) return lane.sync(1);
// CHECK-NEXT: return resume(lane, *f, 1);
// CHECK: if constexpr (!channels::adds_results<Lane>) {
// CHECK-NEXT: #line
// CHECK-NEXT: for (int i = 0; i < f.children; i++) total += f.counts[i];
// CHECK-NEXT: }
long queens(board b) {
  if (b.columns == b.all) return 1;
  long counts[32];
  int children = 0;
  for (unsigned safe = b.all & ~(b.columns | b.left | b.right); safe != 0; safe &= safe - 1) {
    unsigned square = safe & -safe;
    board below = {b.all, b.columns | square, (b.left | square) << 1, (b.right | square) >> 1};
    counts[children] = cilk_spawn queens(below);
    children++;
  }
  cilk_sync;
  long total = 0;
  for (int i = 0; i < children; i++) total += counts[i];
  return total;
}

// An element for each iteration, and one variable for both loops.
// CHECK: {{^}}struct tree_task {
// CHECK: {{^}}  static constexpr bool sums_up = true;
// CHECK-NEXT: {{^}}  static constexpr std::size_t kept_frame = __builtin_offsetof(frame, numbers);
// CHECK: {{^}}  template
long tree(long first, long leaves) {
  long numbers[10], sum = 0;
  int i;
  if (leaves == 1) return first;
  for (i = 0; i < 10; i++) numbers[i] = cilk_spawn tree(first + i * (leaves / 10), leaves / 10);
  cilk_sync;
  for (i = 0; i < 10; i++) {
    sum += numbers[i];
  }
  return sum + (leaves == 10 ? 1 : 0);
}

// Two places that spawn, one of them in a loop in a loop, and what the index is otherwise used for.
// CHECK: {{^}}struct paths_task {
// CHECK: {{^}}  static constexpr bool sums_up = true;
// CHECK-NEXT: {{^}}  static constexpr std::size_t kept_frame = __builtin_offsetof(frame, counts);
// CHECK: {{^}}  template
int paths(int n, int kind) {
  int counts[20];
  int k = 0;
  if (n <= 0) return kind;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < n % 3; ++j) {
      counts[k] = cilk_spawn paths(n - 2 - i - j, kind + k);
      k += 1;
    }
    if (i == 1) {
      counts[k] = cilk_spawn paths(n - 3, kind);
      ++k;
    }
  }
  cilk_sync;
  int all = n;
  for (int i = 0; i < k; ++i) all += counts[i];
  return all + kind * k;
}

// Nothing is returned. Two at once.
// CHECK: {{^}}struct visit_task {
// CHECK: {{^}}  static constexpr bool sums_up = true;
// CHECK-NEXT: {{^}}  static constexpr std::uint32_t most_at_once = 2;
// CHECK: {{^}}  template
void visit(int* places, int size) {
  int width = 1;
  places[0]++;
  for (int i = 1; i < size; i *= 2) {
    cilk_spawn visit(places + width, i);
    cilk_spawn visit(places + 2 * width, i);
    width *= 3;
  }
}

// An element may be written twice.
// CHECK: {{^}}struct overwrites_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long overwrites(int n) {
  if (n < 2) return 1;
  long r[4];
  int k = 0;
  for (int i = 0; i < 4; i++) {
    r[k] = cilk_spawn overwrites(n - 2);
    if (i % 2 == 0) k++;
    cilk_sync;
  }
  long sum = 0;
  for (int i = 0; i < k; i++) sum += r[i];
  return sum;
}
// Not all are added.
// CHECK: {{^}}struct leaves_out_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long leaves_out(int n) {
  if (n < 2) return 1;
  long r[4], sum = 0;
  for (int i = 0; i < 4; i++) r[i] = cilk_spawn leaves_out(n - 2);
  cilk_sync;
  for (int i = 0; i < 3; i++) sum += r[i];
  return sum;
}
// The spawn is in a loop of its own.
// CHECK: {{^}}struct deeper_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long deeper(int n) {
  if (n < 2) return 1;
  long r[2], sum = 0;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 1; j++) r[i] = cilk_spawn deeper(n - 2);
  }
  cilk_sync;
  for (int i = 0; i < 2; i++) sum += r[i];
  return sum;
}
// The sum is more than a sum.
// CHECK: {{^}}struct twice_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long twice(int n) {
  if (n < 2) return 1;
  long r[2], sum = 0;
  for (int i = 0; i < 2; i++) r[i] = cilk_spawn twice(n - 2);
  cilk_sync;
  for (int i = 0; i < 2; i++) sum += r[i];
  return 2 * sum;
}
// Elements are used besides.
// CHECK: {{^}}struct peeks_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long peeks(int n) {
  if (n < 2) return 1;
  long r[2], sum = 0;
  for (int i = 0; i < 2; i++) r[i] = cilk_spawn peeks(n - 2);
  cilk_sync;
  for (int i = 0; i < 2; i++) sum += r[i];
  return sum + (r[0] & 1);
}
// The end is not the same any more.
// CHECK: {{^}}struct shrinks_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long shrinks(int n) {
  if (n < 2) return 1;
  long r[3], sum = 0;
  int end = 3;
  for (int i = 0; i < end; i++) r[i] = cilk_spawn shrinks(n - 2);
  cilk_sync;
  end--;
  for (int i = 0; i < end; i++) sum += r[i];
  return sum;
}
// Some are not spawned, and have a value.
// CHECK: {{^}}struct sets_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long sets(int n) {
  if (n < 2) return 1;
  long r[3], sum = 0;
  for (int i = 0; i < 3; i++) {
    if (i == n % 3) {
      r[i] = 7;
    } else {
      r[i] = cilk_spawn sets(n - 2);
    }
  }
  cilk_sync;
  for (int i = 0; i < 3; i++) sum += r[i];
  return sum;
}
// It returns from the loop, with its children's results unused.
// CHECK: {{^}}struct stops_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long stops(int n) {
  if (n < 2) return 1;
  long r[3], sum = 0;
  for (int i = 0; i < 3; i++) {
    r[i] = cilk_spawn stops(n - 2);
    if (i == n % 3) return 5;
  }
  cilk_sync;
  for (int i = 0; i < 3; i++) sum += r[i];
  return sum;
}
// It takes long until it spawns: its lanes had better do so together.
// CHECK: {{^}}struct works_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long works(int n) {
  if (n < 2) return 1;
  long r[3], sum = 0;
  int most = 0;
  for (int i = 0; i < n; i++) most += i % 3;
  for (int i = 0; i < 3; i++) r[i] = cilk_spawn works(n - 2 - most % 2);
  cilk_sync;
  for (int i = 0; i < 3; i++) sum += r[i];
  return sum;
}

int places[729];

int main(void) {
  for (int n = 1; n <= 7; n++) {
    board b = {(1u << n) - 1, 0, 0, 0};
    printf("%ld\n", queens(b));
  }
  printf("%ld %ld\n", tree(0, 1), tree(3, 1000));
  for (int n = 0; n < 12; n++) printf("%d\n", paths(n, n % 4));
  visit(places, 64);
  long marks = 0;
  for (int i = 0; i < 729; i++) marks += (i % 7 + 1) * places[i];
  printf("%ld\n", marks);
  printf("%ld %ld %ld %ld %ld %ld %ld %ld %ld\n", overwrites(7), leaves_out(7), deeper(7), twice(7), peeks(7),
         shrinks(7), sets(7), stops(7), works(7));
  return 0;
}
