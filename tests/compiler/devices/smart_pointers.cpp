// Objects that are owned by std::unique_ptr, in trees and in class templates; atomic numbers that a function declares. Tasks
// see what a std::shared_ptr leads to, in plain functions, methods, templates and virtual calls; they do not copy it.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 8 of 8 functions, 5 of 5 loops
#include <cilk/cilk.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <vector>

struct node {
  int key;
  std::unique_ptr<node> left, right;
  explicit node(int k) : key(k) {}
};

static int count(const node* n) {
  if (!n) return 0;
  int l = cilk_spawn count(n->left.get());
  int r = count(n->right.get());
  cilk_sync;
  return l + r + 1;
}
static long weight(const std::unique_ptr<node>& n, int depth) {
  if (!n) return 0;
  long l = cilk_spawn weight(n->left, depth + 1), r = weight(n->right, depth + 1);
  cilk_sync;
  return l + r + n->key * depth;
}
// The host deletes what tasks have made.
static void grow(std::unique_ptr<node>& at, int low, int high) {
  if (low >= high) return;
  const int middle = (low + high) / 2;
  at.reset(new node(middle * 37 % 101));
  cilk_spawn grow(at->left, low, middle);
  grow(at->right, middle + 1, high);
  cilk_sync;
}

template <class T>
class matrix {
 public:
  matrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), data_(new T[rows * columns]()) {}
  T& operator()(std::size_t r, std::size_t c) { return data_[r * columns_ + c]; }
  const T& operator()(std::size_t r, std::size_t c) const { return data_[r * columns_ + c]; }
  matrix operator*(const matrix& other) const {
    matrix result(rows_, other.columns_);
    cilk_for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < other.columns_; ++j) {
        T sum = 0;
        for (std::size_t k = 0; k < columns_; ++k) sum += (*this)(i, k) * other(k, j);
        result(i, j) = sum;
      }
    }
    return result;
  }
  matrix transposed() const {
    matrix result(columns_, rows_);
    cilk_for (std::size_t i = 0; i < rows_; ++i) {
      cilk_for (std::size_t j = 0; j < columns_; ++j) result(j, i) = (*this)(i, j);
    }
    return result;
  }

 private:
  std::size_t rows_, columns_;
  std::unique_ptr<T[]> data_;
};

struct points {
  std::vector<float> at;
  int below(float limit) const {
    std::atomic<int> found{0};
    cilk_for (std::size_t i = 0; i < at.size(); i++) {
      if (at[i] < limit) found.fetch_add(1);
    }
    return found;
  }
};

struct shape {
  virtual ~shape() = default;
  virtual int sides(int n) const { return n; }
};
struct prism : shape {
  int sides(int n) const override { return n + 2; }
};
struct part {
  int key;
  std::shared_ptr<part> left, right;
  std::shared_ptr<shape> form;
  bool is_leaf() const { return !left && right == nullptr; }
};
template <class Pointer>
static int key_of(const Pointer& p) {
  return p ? (*p).key + p->key : -1;
}
static std::shared_ptr<part> made(int n) {
  auto one = std::make_shared<part>();
  one->key = n;
  one->form = n % 3 ? std::make_shared<prism>() : std::make_shared<shape>();
  if (n > 2) one->left = made(n / 2);
  if (n > 4) one->right = n % 2 ? one->left : made(n / 3);
  return one;
}
static std::shared_ptr<part> spare;
static long sum(const std::shared_ptr<part>& p) {
  if (p == nullptr) return 0;
  if (p->is_leaf()) return key_of(p) + key_of(p.get()) + spare->key;
  long l = cilk_spawn sum(p->left), r = sum(p->right);
  cilk_sync;
  const std::shared_ptr<part>* const at = &p;
  return l * 3 + r + at->get()->form->sides(4) + (p->left != p->right) + (spare ? 1 : 0);
}
static void list_sides(const std::vector<std::shared_ptr<part>>& all, std::shared_ptr<int[]>& to) {
  cilk_for (std::size_t i = 0; i < all.size(); ++i) to[i] = all[i]->form->sides(static_cast<int>(i));
}

int main() {
  spare = made(1);
  std::vector<std::shared_ptr<part>> parts;
  for (int i = 0; i < 9; ++i) parts.push_back(made(i * 5));
  std::shared_ptr<int[]> sides(new int[9]);
  list_sides(parts, sides);
  for (int i = 0; i < 9; ++i) std::printf("%ld %d ", sum(parts[i]), sides[i]);
  std::unique_ptr<node> root;
  grow(root, 0, 300);
  matrix<double> a(5, 6), b(6, 7);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j++) a(i, j) = i + j;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 7; j++) b(i, j) = i * j;
  const matrix<double> product = (a * b).transposed();
  points some;
  for (int i = 0; i < 500; i++) some.at.push_back(static_cast<float>(i * 71 % 503));
  std::printf("%d %ld %f %d\n", count(root.get()), weight(root, 1), product(3, 4), some.below(200));
  return 0;
}
