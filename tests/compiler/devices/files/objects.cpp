// Objects that tasks make, and what the library has in headers: containers that grow, shrink and
// hold others, strings, algorithms. containers_hip.test compiles it.
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct node {
  int value;
  std::unique_ptr<node> next;
};

static long texts(int n) {
  std::string text(n, 'a'), word = "hello" + text;
  word.insert(2, "zz").replace(1, 2, "uvw").push_back('x');
  text = word.substr(3, 4);
  text.reserve(100);
  text.shrink_to_fit();
  std::vector<std::string> words = {text, word};
  std::sort(words.begin(), words.end());
  const bool less = __builtin_memcmp(text.data(), word.data(), 4) < 0;
  return static_cast<long>(word.find('w') + __builtin_strlen(words[1].c_str())) + less;
}

static long objects(int n) {
  std::vector<std::vector<int>> rows(3, std::vector<int>(n, 2));
  rows.erase(rows.begin());
  rows.push_back({1, 2, 3});
  rows.shrink_to_fit();
  std::vector<bool> bits(n, true);
  bits.push_back(false);
  std::unique_ptr<node> list;
  for (int i = 0; i < n; ++i) list = std::unique_ptr<node>(new node{i, std::move(list)});
  auto* const numbers = new int[8]{n};
  const long sum = numbers[0] + list->value + std::count(bits.begin(), bits.end(), true);
  delete[] numbers;
  return sum + static_cast<long>(rows.back().size()) + (rows[0] < rows[1]);
}

static long all(int n) {
  if (n < 2) return texts(n + 3) + objects(n + 3);
  const long a = cilk_spawn all(n - 1);
  const long b = all(n - 2);
  cilk_sync;
  return a + b;
}

int main() { std::printf("%ld\n", all(5)); }
