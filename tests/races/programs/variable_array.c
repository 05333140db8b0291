#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void fill(int* a, int n) {
  for (int i = 0; i < n; i++) a[i] = i;
}
int main(int argc, char** argv) {
  int n = argc + 20;
  int a[n], b[n];
  cilk_spawn fill(a, n);
  fill(b, n);
  cilk_sync;
  printf("%d\n", a[n - 1] + b[n - 1]);
  return 0;
}
