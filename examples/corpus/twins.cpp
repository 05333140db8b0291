// Twin primes by reducers of Cilk Plus: a list of them in serial order, how many there are, where
// the widest gap is; and the first ten by a reducer of the program's own, which keeps them in
// order.
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>

#include <cstdio>
#include <cstdlib>
#include <list>

#include "timing.h"

struct firsts {
  int count = 0;
  int at[10] = {};
  void add(int value) {
    if (count < 10) at[count++] = value;
  }
};

struct keep_firsts : cilk::monoid_base<firsts> {
  static void reduce(firsts* left, const firsts* right) {
    for (int i = 0; i < right->count; ++i) left->add(right->at[i]);
  }
};

static cilk::reducer_opadd<long> sum;

static bool is_prime(int n) {
  if (n < 2) return false;
  for (int d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

static bool is_twin(int n) { return is_prime(n) && is_prime(n + 2); }

static void add_up(int low, int high) {
  if (high - low <= 20) {
    for (int n = low; n < high; ++n) {
      if (is_twin(n)) sum += n;
    }
    return;
  }
  const int middle = low + (high - low) / 2;
  cilk_spawn add_up(low, middle);
  add_up(middle, high);
  cilk_sync;
}

static std::list<int> collect(int limit) {
  cilk::reducer_list_append<int> found;
  cilk_for (int n = 0; n < limit; ++n) {
    if (is_twin(n)) found.push_back(n);
  }
  return found.get_value();
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int limit = argc > 1 ? std::atoi(argv[1]) : 5000;

  timing_begin();
  add_up(0, limit);
  const std::list<int> all = collect(limit);
  cilk::reducer_max<int> last(-1);
  cilk::reducer<keep_firsts> first;
  cilk_for (int n = 0; n < limit; ++n) {
    if (is_twin(n)) {
      last.calc_max(n);
      first->add(n);
    }
  }
  timing_end();

  long check = 0;
  int before = -1;
  bool in_order = true;
  for (const int n : all) {
    in_order = in_order && before < n;
    before = n;
    check += n;
  }
  std::printf("twins below %d: %zu, sum %ld, last %d, first", limit, all.size(), sum.get_value(),
              last.get_value());
  for (int i = 0; i < first->count; ++i) std::printf(" %d", first->at[i]);
  std::printf("\n");
  return in_order && check == sum.get_value() ? 0 : 1;
}
