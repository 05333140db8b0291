// The same of objects with destructors, in blocks, scopes and loops, with and without exceptions.
// RUN: %host-code-run-and-compare %s
// RUN: %host-code-run-and-compare %s -fno-exceptions
#include <cilk/cilk.h>
#include <cstdio>
#include <string>
#include <vector>

struct counted {
  explicit counted(long v) : value(v) {}
  counted(const counted&) = delete;
  ~counted() { value = -1000000; }
  long value;
};

static long use(const counted* what, int n) {
  if (n < 2) return what->value + n;
  long a = cilk_spawn use(what, n - 1);
  long b = use(what, n - 2);
  cilk_sync;
  return a + b;
}
static long of_text(const std::string& text, int n) {
  if (n < 2) return static_cast<long>(text.size());
  long a = cilk_spawn of_text(text, n - 1);
  long b = of_text(text, n - 2);
  cilk_sync;
  return a + b + text[0];
}
static long from_block(int k, long* out) {
  if (k > 0) {
    counted mine(k);
    std::string text(static_cast<std::size_t>(k) + 20, 'x');
    out[0] = cilk_spawn use(&mine, 10);
    out[1] = cilk_spawn of_text(text, 9);
    if (k > 1) return k * 2;
    cilk_sync;
    return out[0] + out[1];
  }
  return 3;
}
static std::vector<long> from_loop(int k, long* out) {
  for (int i = 0; i < 4; i++) {
    const counted outer(i);
    out[2] = cilk_spawn use(&outer, 9);
    cilk_scope {
      while (i == k) {
        counted inner(i + 7);
        out[3] = cilk_spawn use(&inner, 8);
        return {i, k};
      }
    }
    cilk_sync;
  }
  return {};
}

int main() {
  for (int k = 0; k < 5; k++) {
    long out[4] = {0};
    const long a = from_block(k, out);
    const std::vector<long> b = from_loop(k, out);
    std::printf("%ld %zu %ld %ld %ld %ld %ld\n", a, b.size(), b.empty() ? 0 : b[0] + b[1], out[0], out[1],
                out[2], out[3]);
  }
}
