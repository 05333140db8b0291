#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cstdio>
CILK_C_REDUCER_MAX(most, int, 0);
int main() {
  cilk::reducer<cilk::op_list_append<int>> all;
  cilk_for(int i = 0; i < 30; i++) {
    all->push_back(i);
    CILK_C_REDUCER_MAX_CALC(most, i);
  }
  cilk_spawn { all->push_back(1); }
  all->push_back(2);
  cilk_sync;
  std::printf("%zu %d\n", all.get_value().size(), most.value);
  return 0;
}
