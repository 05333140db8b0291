// Monoids of the program's own; views that are not their value; reducers on the heap and inside strands.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

// A product of matrices does not commute.
struct matrix {
  unsigned a = 1, b = 0, c = 0, d = 1;
  matrix operator*(const matrix& o) const {
    return {a * o.a + b * o.c, a * o.b + b * o.d, c * o.a + d * o.c, c * o.b + d * o.d};
  }
  matrix() = default;
  matrix(unsigned a, unsigned b, unsigned c, unsigned d) : a(a), b(b), c(c), d(d) {}
};
struct product : cilk::monoid_base<matrix> {
  void reduce(matrix* left, matrix* right) const { *left = *left * *right; }
};

struct counts : cilk::monoid_base<std::map<int, int> > {
  static void identity(std::map<int, int>* view) { new (view) std::map<int, int>; }
  static void reduce(std::map<int, int>* left, std::map<int, int>* right) {
    for (const auto& one : *right) (*left)[one.first] += one.second;
  }
};

// What a strand has of a text: whether it began in the middle of a word, and the words that ended.
class words_view : public cilk::scalar_view<int> {
 public:
  words_view() : any_(false) {}
  void add(char c) {
    if (c != ' ' && !in_word_) ++m_value;
    in_word_ = c != ' ';
    if (!any_) begins_in_word_ = in_word_;
    any_ = true;
  }
  void reduce(words_view* right) {
    if (!right->any_) return;
    m_value += right->m_value - (in_word_ && right->begins_in_word_ ? 1 : 0);
    if (!any_) begins_in_word_ = right->begins_in_word_;
    in_word_ = right->in_word_;
    any_ = true;
  }

 private:
  bool any_;
  bool in_word_ = false;
  bool begins_in_word_ = false;
};
typedef cilk::reducer<cilk::monoid_with_view<words_view> > words;

cilk::reducer<product> path;

static void walk(unsigned low, unsigned high) {
  if (high - low == 1) { *path = *path * matrix(low, 1, 1, low + 1); return; }
  cilk_spawn walk(low, (low + high) / 2);
  walk((low + high) / 2, high);
  cilk_sync;
}

static int inner(int n) {
  cilk::reducer<counts> own;
  cilk_for (int i = 0; i < n; ++i) (*own)[i % 3] += i;
  return own.get_value().at(n > 1 ? 1 : 0);
}

static int nested(int n) {
  if (n < 2) return inner(n + 5);
  int a = cilk_spawn nested(n - 1);
  int b = nested(n - 2);
  cilk_sync;
  return a + b;
}

int main() {
  walk(0, 200);
  const matrix& all = path.get_value();
  const std::string text = "the quick brown  fox jumps over the lazy dog and is gone ";
  words number;
  cilk_for (std::size_t i = 0; i < text.size(); ++i) number->add(text[i]);
  const auto heap = std::make_unique<cilk::reducer<counts> >();
  cilk_for (int i = 0; i < 100; ++i) (**heap)[i * i % 7]++;
  std::printf("%u %u %u %u %d %d %d\n", all.a, all.b, all.c, all.d, number.get_value(), (**heap)[4], nested(9));
}
