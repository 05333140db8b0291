#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sort(int* begin, int* end) {
  if (end - begin < 2) return;
  int pivot = *begin, *middle = begin;
  for (int* at = begin + 1; at < end; at++) {
    if (*at >= pivot) continue;
    int t = *++middle;
    *middle = *at;
    *at = t;
  }
  *begin = *middle;
  *middle = pivot;
  cilk_spawn sort(begin, middle);
  sort(middle + 1, end);
}
int main(void) {
  int a[50];
  for (int i = 0; i < 50; i++) a[i] = i * 29 % 50;
  sort(a, a + 50);
  printf("%d\n", a[0]);
  return 0;
}
