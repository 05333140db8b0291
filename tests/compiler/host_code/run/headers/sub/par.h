#pragma once
#include "inner.h"
#include <cilk/cilk.h>
static inline long pfib(int n) {
  if (n < BASE) return n;
  long x = cilk_spawn pfib(n - 1);
  long y = pfib(n - 2);
  cilk_sync;
  return x + y;
}
#define PSPAWN cilk_spawn
