#include <cilk/cilk.h>

#include <cstdio>

template <class T>
void fill(T* begin, T* end, T with) {
  while (begin <= end) *begin++ = with;  // RACE: here, here, spawn
}
int main() {
  float values[10];
  cilk_spawn fill(values, values + 5, 1.0F);  // @spawn
  fill(values + 5, values + 9, 2.0F);
  cilk_sync;
  std::printf("%d\n", values[5] > 9);
  return 0;
}
