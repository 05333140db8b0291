// Members of `std::atomic` in functions that tasks call, which have no code for devices of their own: of whole numbers,
// truth values, pointers, enumerations and floating-point numbers.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan --explain --device=emulated -std=c++20 --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 5 of 5 functions, 1 of 1 loops
#include <cilk/cilk.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

enum class state : unsigned char { free, taken, done };

class table {
  std::unique_ptr<std::atomic<unsigned>[]> keys_;
  unsigned mask_;
  std::atomic<int> count_{0};

 public:
  explicit table(unsigned bits) : keys_(new std::atomic<unsigned>[1u << bits]), mask_((1u << bits) - 1) {
    for (unsigned i = 0; i <= mask_; ++i) keys_[i].store(0);
  }
  bool insert(unsigned key) {
    for (unsigned i = key * 2654435761u >> 7;; ++i) {
      unsigned found = keys_[i & mask_].load(std::memory_order_relaxed);
      if (found == key) return false;
      if (found == 0) {
        if (keys_[i & mask_].compare_exchange_strong(found, key)) {
          count_++;
          return true;
        }
        if (found == key) return false;
      }
    }
  }
  int size() const { return count_; }
};

static void walk(unsigned long n, table& all) {
  while (n != 1 && all.insert(static_cast<unsigned>(n))) n = n & 1 ? 3 * n + 1 : n / 2;
}
static void explore(int low, int high, table& all) {
  if (high - low < 4) {
    for (; low < high; ++low) walk(low, all);
    return;
  }
  cilk_spawn explore(low, (low + high) / 2, all);
  explore((low + high) / 2, high, all);
}

static std::atomic<int> most{-1};
static std::atomic<long> total{0};
static std::atomic<std::uint64_t> bits;
static std::atomic<short> narrow{30000};
static std::atomic<signed char> small{100};
static std::atomic<bool> odd, even;
static std::atomic<state> steps[64];
static std::atomic<double> sum{0.5};
static std::atomic<float> less{1000};
static std::atomic_int turns;

template <class Number, class Value>
static void raise(std::atomic<Number>& to, Value value) {
  Number seen = to.load(std::memory_order_acquire);
  while (seen < value && !to.compare_exchange_weak(seen, value, std::memory_order_release, std::memory_order_relaxed)) {
  }
}
// An object that is not atomic in one of the instances.
struct counter {
  int value = 0;
  int load() const { return value; }
  counter& operator+=(int by) {
    value += by;
    return *this;
  }
};
template <class Counter>
static int twice(Counter& one) {
  one += 2;
  return one.load() & 0;
}
static int notes(std::atomic<int>* at, int n) {
  counter own;
  const int none = twice(own) + twice(*at) + own.value - 2;
  at->fetch_sub(1);
  --*at;
  (*at).fetch_xor(0);
  *at -= 1;
  return none + (at->load() < 0 ? 1 : 0) + n;
}
static void mark(int n) {
  raise(most, n * 3);
  total += n;
  total.fetch_add(n, std::memory_order_relaxed);
  bits |= std::uint64_t{1} << n;
  narrow += static_cast<short>(n * 100);
  small.fetch_add(static_cast<signed char>(n));
  if (n & 1)
    odd = true;
  else
    even.store(true, std::memory_order_release);
  state expected = state::free;
  if (steps[n].compare_exchange_strong(expected, state::taken)) steps[n] = state::done;
  sum += 0.25;
  less.fetch_sub(0.5f);
  if (const int now = ++turns; now < 0) turns = 0;
  turns--;
  total += odd || even ? 1 : 1000;
  total += static_cast<long>(steps[n].exchange(state::done) == state::taken) * 0;
}
static void count(int n) {
  mark(n);
  if (n > 0) {
    cilk_spawn count(n - 1);
    cilk_spawn count(std::max(n - 2, 0));
  }
}

struct cell {
  int value;
  cell* next;
};
// A list that grows at its front, and an array that is given out by a pointer.
static void push(std::atomic<cell*>& list, std::atomic<cell*>& free, int value) {
  cell* one = free.fetch_add(1);
  one->value = value;
  one->next = list.load(std::memory_order_relaxed);
  while (!list.compare_exchange_weak(one->next, one)) {
  }
}
static void fill(std::atomic<cell*>& list, std::atomic<cell*>& free, int low, int high) {
  if (high - low == 1) return push(list, free, low);
  cilk_spawn fill(list, free, low, (low + high) / 2);
  fill(list, free, (low + high) / 2, high);
}
static int noted(std::atomic<int>* at, int n) {
  if (n < 2) return notes(at, n);
  int a = cilk_spawn noted(at, n - 1);
  int b = noted(at, n - 2);
  cilk_sync;
  return a + b;
}

int main() {
  table all(14);
  explore(1, 900, all);
  std::printf("%d\n", all.size());
  count(12);
  std::printf("%d %ld %llx %d %d %d %d %g %g %d\n", most.load(), total.load(), (unsigned long long)bits.load(), narrow.load(),
              small.load(), odd.load(), even.load(), sum.load(), less.load(), turns.load());
  std::vector<cell> cells(300);
  std::atomic<cell*> list{nullptr}, free{cells.data()};
  fill(list, free, 0, 300);
  long found = 0, n = 0;
  for (cell* one = list; one != nullptr; one = one->next, ++n) found += one->value;
  std::printf("%ld %ld %ld\n", found, n, (long)(free - cells.data()));
  std::atomic<int> left{100};
  int r = noted(&left, 10);
  std::printf("%d %d\n", r, left.load());
  std::atomic<int> hits[3] = {};
  cilk_for (int i = 0; i < 300; ++i) {
    raise(hits[0], i);
    hits[1] += i;
    hits[2].fetch_xor(i);
  }
  std::printf("%d %d %d\n", (int)hits[0], (int)hits[1], (int)hits[2]);
}
