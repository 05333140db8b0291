// Reducers of Cilk Plus and OpenCilk in tasks: as globals, locals, members and by reference, in recursion, in loops over
// integers and iterators, and in templates, and a list.
// RUN: %host-code-run-and-compare %s -std=c++17
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: find: stays
// CHECK-NOT: walk: stays
// CHECK-NOT: split: stays
// CHECK-NOT: local: stays
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer_list.h>
#include <algorithm>
#include <list>
#include <cstdio>
#include <vector>
struct node { int value; node *left, *right; };
cilk::reducer_opadd<long> sum;
cilk::reducer<cilk::op_add<long> > visits;
cilk::reducer_max<int> deepest;
static node *make(int lo, int hi) {
  if (lo >= hi) return nullptr;
  int m = (lo + hi) / 2;
  return new node{m * 7 % 13, make(lo, m), make(m + 1, hi)};
}
static void walk(const node *n, int depth) {
  if (!n) return;
  sum += n->value;
  *visits += 1;
  deepest.calc_max(depth);
  cilk_spawn walk(n->left, depth + 1);
  walk(n->right, depth + 1);
  cilk_sync;
}
static void add_all(const std::vector<int> &v, cilk::reducer_opadd<long> &into) {
  cilk_for (std::size_t i = 0; i < v.size(); ++i) into += v[i];
}
static long local(const int *a, int n) {
  cilk::reducer_opadd<long> s(5);
  cilk::reducer<cilk::op_min<int> > low;
  cilk::reducer<cilk::op_xor<unsigned> > bits;
  cilk_for (int i = 0; i < n; ++i) { s += a[i]; low->calc_min(a[i]); *bits ^= (unsigned)a[i]; }
  return s.get_value() * 1000 + low.get_value() + bits.get_value();
}
struct stats { long n = 0, sum = 0; int low = 1 << 30, high = -(1 << 30); };
struct stats_monoid : cilk::monoid_base<stats> {
  static void identity(stats *v) { new (v) stats(); }
  static void reduce(stats *l, stats *r) {
    l->n += r->n; l->sum += r->sum; l->low = std::min(l->low, r->low); l->high = std::max(l->high, r->high);
  }
};
cilk::reducer<cilk::op_add<int> > hist[8];
cilk::reducer<cilk::op_list_append<int> > primes;
static bool prime(int n) { for (int d = 2; d * d <= n; ++d) if (n % d == 0) return false; return n > 1; }
static void find(int lo, int hi) {
  cilk_for (int i = lo; i < hi; ++i) if (prime(i)) primes->push_back(i);
}
template <class T> static T largest(const std::vector<T> &v) {
  cilk::reducer_max<T> best;
  cilk_for (auto i = v.begin(); i != v.end(); ++i) best.calc_max(*i);
  return best.get_value();
}
struct counter {
  cilk::reducer_opadd<long> hits;
  void run(int n) { cilk_for (int i = 0; i < n; ++i) hits += i % 7; }
  void split(int lo, int hi) {
    if (hi - lo < 3) { for (int i = lo; i < hi; ++i) ++hits; return; }
    int m = (lo + hi) / 2;
    cilk_spawn split(lo, m);
    split(m, hi);
  }
};
static void more() {
  std::vector<int> v;
  for (int i = 0; i < 4000; ++i) v.push_back((int)((unsigned)i * 2654435761u >> 16) % 10007 - 50);
  cilk_for (std::size_t i = 0; i < v.size(); ++i) *hist[v[i] & 7] += 1;
  for (auto &h : hist) std::printf("%d ", h.get_value());
  cilk::reducer<stats_monoid> s;
  cilk_for (std::size_t i = 0; i < v.size(); ++i) { s->n++; s->sum += v[i]; s->low = std::min(s->low, v[i]); s->high = std::max(s->high, v[i]); }
  std::printf("\n%ld %ld %d %d\n", s->n, s->sum, s->low, s->high);
  std::printf("%d\n", largest(v));
  find(0, 1000);
  std::printf("%zu %d\n", primes.get_value().size(), primes.get_value().back());
  counter c;
  c.run(5000);
  c.split(0, 777);
  std::printf("%ld\n", c.hits.get_value());
  cilk::reducer<cilk::op_max_index<int, int> > where;
  cilk_for (int i = 0; i < (int)v.size(); ++i) where->calc_max(i, v[i]);
  std::printf("%d %d\n", where->get_index(), where->view_get_value().second);
}
int main() {
  node *root = make(0, 900);
  walk(root, 0);
  std::printf("%ld %ld %d\n", sum.get_value(), visits.get_value(), deepest.get_value());
  std::vector<int> v(3000);
  for (int i = 0; i < 3000; ++i) v[i] = i * 31 % 101 - 20;
  cilk::reducer_opadd<long> t;
  add_all(v, t);
  std::printf("%ld\n", t.get_value());
  std::printf("%ld\n", local(v.data(), 3000));
  cilk::opadd_reducer<long> o = 3;
  cilk_for (int i = 0; i < 3000; ++i) o += v[i];
  std::printf("%ld\n", (long)o);
  cilk::reducer_opor<bool> any(false);
  cilk_for (int i = 0; i < 3000; ++i) any |= v[i] == 33;
  std::printf("%d\n", (int)any.get_value());
  more();
}
