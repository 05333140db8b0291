// Arguments that point into temporary objects: these last until the child is joined.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan -std=c++20 --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 4 of 4 functions, 0 of 0 loops
#include <cilk/cilk.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

static int at(const int* p, int k) { return p[k]; }
static int rows(int n) {
  if (n < 2) return n;
  int x = cilk_spawn at(std::array<int, 3>{n, n + 1, n + 2}.data(), 1);
  int y = rows(n - 1);
  cilk_sync;
  return x + y;
}

// A view of a text that is made for the call.
static int letters(std::string_view text, char wanted) {
  if (text.size() < 2) return !text.empty() && text[0] == wanted;
  int left = cilk_spawn letters(std::string(text.substr(0, text.size() / 2)), wanted);
  int right = letters(std::string(text.begin() + text.size() / 2, text.end()), wanted);
  cilk_sync;
  return left + right;
}

struct matrix {
  int rows[4];
  const int& first() const { return rows[0]; }
};
static matrix made(int n) { return {{n, n + 1, n * 2, 7}}; }
static int depth(const int& least, int n) {
  if (n < least) return n;
  int a = cilk_spawn depth(made(least).first(), n - 1);
  int b = depth(made(least + 1).rows[1], n - 2);
  cilk_sync;
  return a * 2 + b;
}

static long total(const std::vector<int>& v, std::size_t from, std::size_t to) {
  if (to - from == 1) return v[from];
  const std::size_t middle = (from + to) / 2;
  long a = cilk_spawn total(std::vector<int>(v.begin(), v.begin() + middle), from, middle);
  long b = total(std::vector<int>(v), middle, to);
  cilk_sync;
  return a - b;
}

int main() {
  std::string text;
  for (int i = 0; i < 40; ++i) text += (char)('a' + i * i % 7);
  std::vector<int> v;
  for (int i = 0; i < 20; ++i) v.push_back(i * 3 % 11);
  std::printf("%d %d %d %ld\n", rows(9), letters(text, 'c'), depth(2, 9), total(v, 0, v.size()));
}
