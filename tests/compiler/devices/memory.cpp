// Memory that the device shares with the program: of constructors, malloc, realloc, new, the stack, tables; and what
// tasks allocate, which the host frees.
// RUN: %device-run-and-compare %s --device-aggregator
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_HEAP=1M not %t.lowered 2>&1 | FileCheck %s
// CHECK: channels: malloc: {{[0-9]+}} bytes: the memory that the host shares with the device is full{{.*}}CHANNELS_HEAP
// REQUIRES: not-sanitized
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
std::vector<long> early(1000, 3);   // allocated by a constructor
static long serial_depth(long n) { return n == 0 ? 0 : 1 + serial_depth(n - 1); }
struct node { node* left; node* right; long value; };
static node* build(int depth, long& next) {
  if (depth == 0) return nullptr;
  node* n = new node{nullptr, nullptr, 0};
  n->left = build(depth - 1, next); n->value = next++; n->right = build(depth - 1, next);
  return n;
}
// What a task allocates the host reads and frees.
void fill(node** all, int from, int to) {
  if (to - from == 1) {
    all[from] = (node*)malloc(sizeof(node));
    all[from]->value = from;
    return;
  }
  cilk_spawn fill(all, from, (from + to) / 2);
  fill(all, (from + to) / 2, to);
  cilk_sync;
}
long sum(node* n) {
  if (n == nullptr) return 0;
  long l = cilk_spawn sum(n->left);
  long r = cilk_spawn sum(n->right);
  cilk_sync;
  n->value *= 2;
  return l + r + n->value;
}
void scale(long* p, long n, const long* table) {
  if (n < 64) {
    long* own = (long*)malloc(n * sizeof(long));
    for (long i = 0; i < n; i++) own[i] = p[i] * table[i % 4] + serial_depth(20);
    memcpy(p, own, n * sizeof(long));
    free(own);
    return;
  }
  cilk_spawn scale(p, n / 2, table);
  scale(p + n / 2, n - n / 2, table);
  cilk_sync;
}
static const long table[4] = {1, 2, 3, 4};
int main() {
  long next = 0;
  node* tree = build(12, next);
  std::string text = "a longer text than fits the object itself, to be allocated";
  text += std::to_string(sum(tree));
  std::vector<long> v(100000);
  for (long i = 0; i < 100000; i++) v[i] = i;
  long on_stack[500];
  for (long i = 0; i < 500; i++) on_stack[i] = i;
  for (int round = 0; round < 3; round++) {
    scale(v.data(), (long)v.size(), table);
    scale(on_stack, 500, early.data());
    scale(early.data(), 1000, &v[2]);
  }
  unsigned long h = 0;
  for (long x : v) h = h * 31 + x;
  for (long x : on_stack) h = h * 31 + x;
  for (long x : early) h = h * 31 + x;
  long* grown = nullptr;
  for (long n = 1; n < 1 << 20; n *= 2) { grown = (long*)realloc(grown, n * sizeof(long)); grown[n - 1] = n; }
  scale(grown + (1 << 19) - 10, 10, table);
  h = h * 31 + grown[(1 << 19) - 1];
  free(grown);
  node* made[50];
  fill(made, 0, 50);
  for (node* one : made) {
    h = h * 31 + one->value;
    free(one);
  }
  std::printf("%s %lu\n", text.c_str(), h);
}
