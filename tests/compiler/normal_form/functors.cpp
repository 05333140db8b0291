// Function objects as benchmark suites have them: without a default constructor, made where they
// are called, forwarded; lambdas that are spawned where they stand. A template that nobody uses
// does not count.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// RUN: %cilk2chan --explain --device=emulated -O0 %s -o %t.explained >%t.said 2>&1
// RUN: FileCheck %s --check-prefix=EXPLAIN <%t.said
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
// EXPLAIN-NOT: stays on the host
// EXPLAIN: tasks: 12 of 12 functions, 1 of 1 loops
#include <cilk/cilk.h>

#include <cstdio>
#include <utility>

struct element_of {
  const long* values;
  explicit element_of(const long* from) : values(from) {}
  long operator()(long i) const { return values[i]; }
};
struct scaled {  // its constructor is deleted, for a member has none
  element_of inside;
  const long factor;
  long operator()(long i) const { return inside(i) * factor; }
};
struct chosen {  // a default constructor that does something
  long bias = 5;
  long operator()(long a, long b) const { return a * 3 + b + bias; }
};

template <class F, class G>
long reduce(long lo, long hi, F combine, G get) {
  if (hi - lo < 4) {
    long result = get(lo);
    for (long i = lo + 1; i < hi; i++) result = combine(result, get(i));
    return result;
  }
  long left = cilk_spawn reduce(lo, (lo + hi) / 2, combine, get);
  long right = reduce((lo + hi) / 2, hi, combine, get);
  cilk_sync;
  return combine(left, right);
}

template <class G>
void fill(long* out, long n, G get) {
  cilk_for(long i = 0; i < n; i++) out[i] = get(i) + 1;
}

template <class T>
struct transposition {
  const T* from;
  T* to;
  transposition(const T* a, T* b) : from(a), to(b) {}
  unsigned run(long begin, long count, long n) {
    if (count < 3) {
      for (long i = begin; i < begin + count; i++)
        for (long k = 0; k < n; k++) to[k * n + i] = from[i * n + k];
      return static_cast<unsigned>(count);
    }
    unsigned left = cilk_spawn run(begin, count / 2, n);
    unsigned right = run(begin + count / 2, count - count / 2, n);
    cilk_sync;
    return left + right;
  }
};

// A call of an object that is made for it, in the middle of other statements; a result that is
// converted and passed on by reference.
template <class T>
std::pair<long, long> turned(const T* a, T* b, long n) {
  transposition<T>(a, b).run(0, n, n);
  long rows = transposition<T>(b, b + n * n).run(0, n, n);
  const long last = 2 * transposition<T>(a, b).run(0, n, n) + rows;
  return std::pair<long, long>(rows, last);
}

template <class Left, class Right>
void in_parallel(Left&& left, Right&& right) {
  cilk_spawn std::forward<Right>(right)();
  std::forward<Left>(left)();
  cilk_sync;
}

template <class F>
long tree(long n, const F& f) {
  if (n < 2) return f(n);
  long a = 0;
  long b = 0;
  in_parallel([&] { a = tree(n - 1, f); }, [&] { b = tree(n - 2, f); });
  return a + 2 * b;
}

template <class F>
void by_lambdas(long* out, long n, F f) {
  for (long i = 0; i < n; i++) {
    cilk_spawn[out, i, f] { out[i] = f(i); }
    ();
  }
  cilk_spawn[&] { out[n] = reduce(0, n, chosen(), f); }
  ();
  cilk_sync;
}

template <class T>
void never_used(T* a, long n) {
  cilk_for(long i = 0; i < n; i++) a[i] = T();
}

static long of_blocks(const long* values, long n) {
  long sums[2] = {0, 0};
  element_of get(values);
  cilk_spawn {
    for (long i = 0; i < n; i += 2) sums[0] += get(i);
  }
  cilk_spawn {
    for (long i = 1; i < n; i += 2) sums[1] += get(i);
  }
  cilk_sync;
  return sums[0] * 1000 + sums[1];
}

int main() {
  enum { n = 6 };
  long a[n * n];
  long b[2 * n * n];
  for (long i = 0; i < n * n; i++) a[i] = i * 7 % 11;
  const element_of get(a);
  std::printf("%ld", reduce(0, n * n, chosen(), get));
  std::printf(" %ld", reduce(0, n * n, chosen(), scaled{get, 3}));
  fill(b, n * n, scaled{get, 2});
  long h = 0;
  for (long i = 0; i < n * n; i++) h = h * 3 + b[i];
  const std::pair<long, long> rows = turned(a, b, n);
  std::printf(" %ld %ld %ld", h, rows.first, rows.second);
  for (long i = 0; i < 2 * n * n; i++) h = h * 3 + b[i];
  std::printf(" %ld %ld", h, tree(8, [](long k) { return k + 1; }));
  by_lambdas(b, 9, get);
  for (long i = 0; i < 10; i++) h = h * 3 + b[i];
  std::printf(" %ld %ld\n", h, of_blocks(a, n * n));
}
