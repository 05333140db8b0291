// A binary search tree whose nodes own their children; member functions that spawn themselves; and
// an exception, thrown for a key that is not allowed, that reaches whoever began the walk.
#include <cilk/cilk.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "timing.h"

class bad_key : public std::runtime_error {
 public:
  explicit bad_key(int key) : std::runtime_error("bad key " + std::to_string(key)), key_(key) {}
  int key() const { return key_; }

 private:
  int key_;
};

class tree {
 public:
  void insert(int key) {
    std::unique_ptr<node>* place = &root_;
    while (*place) place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = std::make_unique<node>(key);
  }

  long size() const { return root_ ? root_->size() : 0; }
  int height() const { return root_ ? root_->height() : 0; }
  std::vector<int> keys() const { return root_ ? root_->keys() : std::vector<int>(); }
  /// Throws bad_key for the least key that `forbidden` divides.
  long check(int forbidden) const { return root_ ? root_->check(forbidden) : 0; }

 private:
  struct node {
    explicit node(int k) : key(k) {}

    long size() const {
      long l = 0, r = 0;
      if (left) l = cilk_spawn left->size();
      if (right) r = right->size();
      cilk_sync;
      return l + 1 + r;
    }

    int height() const {
      const int l = left ? cilk_spawn left->height() : 0;
      const int r = right ? right->height() : 0;
      cilk_sync;
      return 1 + (l > r ? l : r);
    }

    std::vector<int> keys() const {
      std::vector<int> before, after;
      if (left) before = cilk_spawn left->keys();
      if (right) after = right->keys();
      cilk_sync;
      before.push_back(key);
      before.insert(before.end(), after.begin(), after.end());
      return before;
    }

    // In the order of the keys, so the serial program finds the least bad one first. Whichever is
    // found, the one that comes first in that order is delivered at the sync.
    long check(int forbidden) const {
      std::unique_ptr<long> l = std::make_unique<long>(0), r = std::make_unique<long>(0);
      if (left) *l = cilk_spawn left->check(forbidden);
      if (right && right->key == key) throw std::logic_error("twice the same key");
      cilk_sync;
      if (key % forbidden == 0) throw bad_key(key);
      if (right) *r = cilk_spawn right->check(forbidden);
      cilk_sync;
      return *l + key + *r;
    }

    int key;
    std::unique_ptr<node> left, right;
  };

  std::unique_ptr<node> root_;
};

static std::string outcome(const tree& t, int forbidden) {
  try {
    const long sum = cilk_spawn t.check(forbidden);
    cilk_sync;
    return "sum " + std::to_string(sum);
  } catch (const bad_key& e) {
    return std::string(e.what()) + " = " + std::to_string(e.key() / forbidden) + " * " +
           std::to_string(forbidden);
  }
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 2000;
  tree t;
  unsigned key = 1;
  int inserted = 0;
  // All of 1 to 65536 come up once in this order.
  for (; inserted < n && inserted < 65536; ++inserted) {
    key = key * 75 % 65537;
    t.insert(static_cast<int>(key));
  }

  timing_begin();
  const long size = cilk_spawn t.size();
  const int height = cilk_spawn t.height();
  const std::vector<int> keys = t.keys();
  std::string first = cilk_spawn outcome(t, 11);
  std::string second = cilk_spawn outcome(t, 100003);
  cilk_sync;
  timing_end();

  bool good = size == inserted && keys.size() == static_cast<std::size_t>(size);
  for (std::size_t i = 1; i < keys.size(); ++i) good &= keys[i - 1] < keys[i];
  std::printf("tree of %ld keys, height %d, from %d to %d; %s; %s\n", size, height, keys.front(),
              keys.back(), first.c_str(), second.c_str());
  return good ? 0 : 1;
}
