// Functions of C's library in tasks that read and write text in memory, and algorithms of C++'s library that would ask
// for memory on the host. What works on files, formats real numbers or waits for locks stays on the host.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --emit=tasks -DREFUSED %s -o - 2>&1 | FileCheck %s --check-prefix=STAYS
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct pair {
  int key, place;
};
static bool by_key(const pair& a, const pair& b) { return a.key < b.key; }

static long weigh(const char* text) {
  long sum = 0;
  for (int i = 0; text[i] != '\0'; ++i) sum = (sum * 31 + text[i]) % 1000003;
  return sum;
}

static long texts(long n) {
  char line[64], small[8];
  long sum = std::snprintf(line, sizeof line, "%ld:%5d|%-6x|%+.3d %s %c%%", n * 7919 - 40, (int)n, (unsigned)(n * 977), (int)(n % 50), "name", 'a' + (int)(n % 26));
  sum += weigh(line) + snprintf(small, sizeof small, "%08lo and more", n) + weigh(small);
  sum += sprintf(line + 10, "%*d,0x%lx", 6, (int)-n, (unsigned long)n * n) + weigh(line);
  const char* comma = std::strchr(line, ',');
  char* end = nullptr;
  sum += comma - line + std::strtol(comma + 1, &end, 16) + *end;
  sum += std::strstr(line, "0x") - line + (strrchr(line, '%') == nullptr) + atoi("-12 apples") + std::strtoul("0777x", &end, 0) + atol(line);
  return sum + (static_cast<const char*>(std::memchr(line, ':', 12)) - line);
}

static long sorts(int n) {
  pair all[40];
  int some[40];
  for (int i = 0; i < 40; ++i) all[i] = {(i * n) % 7, i};
  for (int i = 0; i < 40; ++i) some[i] = i * 17 % 41;
  std::stable_sort(all, all + 40, by_key);
  std::sort(some, some + 15);
  std::sort(some + 15, some + 40);
  std::inplace_merge(some, some + 15, some + 40);
  long sum = 0;
  for (int i = 0; i < 40; ++i) sum = (sum * 13 + all[i].place + 7 * some[i]) % 1000003;
  std::stable_sort(some, some + 40, [](int a, int b) { return a % 5 > b % 5; });
  return sum * 100 + some[n % 40];
}

static long work(long low, long high) {
  if (high - low == 1) return texts(low) * 3 + sorts((int)low);
  long a = cilk_spawn work(low, (low + high) / 2);
  long b = work((low + high) / 2, high);
  cilk_sync;
  return a * 5 % 1000003 + b;
}

#if defined(REFUSED)
extern "C" void channels_omp_enter(int*);
// STAYS-DAG: reads: stays on the host, depth-first: {{.*}}'fopen', which a task calls, works on files or streams
static long reads(long n) {
  if (n < 2) return fopen("x", "r") != nullptr;
  long a = cilk_spawn reads(n - 1);
  cilk_sync;
  return a;
}
// STAYS-DAG: reals: stays on the host, depth-first: {{.*}}'snprintf', which a task calls, has no code for the device
static long reals(long n) {
  char line[20];
  if (n < 2) return snprintf(line, sizeof line, "%.3f", n / 3.0);
  long a = cilk_spawn reals(n - 1);
  cilk_sync;
  return a;
}
static int lock;
// STAYS-DAG: locks: stays on the host, depth-first: {{.*}}'channels_omp_enter', which a task calls, waits for a lock
static long locks(long n) {

  if (n < 2) return channels_omp_enter(&lock), 1;
  long a = cilk_spawn locks(n - 1);
  cilk_sync;
  return a;
}
long refused() { return reads(3) + reals(3) + locks(3); }
#endif

int main() { std::printf("%ld\n", work(0, 60)); }
