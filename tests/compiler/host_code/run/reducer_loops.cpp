// The same in C++: lambdas, templates, exceptions that are caught in a loop, members, ranges.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static void empty(void* view) { new (view) std::string(); }
static void join(void* left, void* right) {
  auto* from = static_cast<std::string*>(right);
  static_cast<std::string*>(left)->append(*from);
  from->~basic_string();
}
std::string cilk_reducer(empty, join) all;

static void word(char c, int n) {
  if (n == 0) { all += c; return; }
  cilk_spawn word(c, n - 1);
  word(static_cast<char>(c + 1), n - 1);
}
static void fail(int i) {
  std::string on_the_way = "on the way";
  cilk_spawn word('f', 1);
  if (i % 2) throw std::runtime_error("odd");
}

struct log {
  std::string cilk_reducer(empty, join) text;
  void fill(int n) {
    cilk_for (int i = 0; i < n; ++i) {
      text += static_cast<char>('a' + i);
      this->text += '/';
    }
    for (int i = 0; i < n; ++i) text += static_cast<char>('A' + i);
  }
};

static void catches(int n) {
  cilk_spawn word('p', 2);
  for (int i = 0; i < n; ++i) {
    all += '[';
    try {
      std::string own = "x";
      fail(i);
      all += own;
    } catch (const std::exception& e) {
      all += e.what();
    }
    all += ']';
  }
}
static void lambdas(int n) {
  for (int i = 0; i < n; ++i) {
    all += static_cast<char>('0' + i);
    const auto later = [=] {
      for (int k = 0; k < 2; ++k) all += static_cast<char>('a' + i + k);
    };
    [&] {
      cilk_spawn later();
      for (int k = 0; k < 2; ++k) all += '+';
      later();
    }();
  }
}
template <class T>
static void instances(const std::vector<T>& from) {
  cilk_spawn word('t', 1);
  for (const T& one : from) all += std::to_string(one);
  auto each = from.begin();
  while (each != from.end())
    if (*each++ % 2) all += ',';
    else all += ';';
}

int main() {
  catches(5);
  lambdas(4);
  instances(std::vector<int>{1, 2, 3});
  instances(std::vector<long>{40, 50});
  static log written;
  written.fill(20);
  std::printf("%s\n%s\n", all.c_str(), written.text.c_str());
}
