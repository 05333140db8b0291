#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void zero(void* v) { *(long*)v = 0; }
static void plus(void* l, void* r) { *(long*)l += *(long*)r; }
long cilk_reducer(zero, plus) sum = 0;
int main(void) {
  cilk_for(int i = 0; i < 100; i++) sum += i;
  printf("%ld\n", sum);
  return 0;
}
