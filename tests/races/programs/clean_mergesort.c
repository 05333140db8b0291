#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int buffer[64];
static void sort(int* of, int* spare, int n) {
  if (n < 2) return;
  int half = n / 2;
  cilk_spawn sort(of, spare, half);
  sort(of + half, spare + half, n - half);
  cilk_sync;
  for (int i = 0, left = 0, right = half; i < n; i++)
    spare[i] = right == n || (left < half && of[left] < of[right]) ? of[left++] : of[right++];
  memcpy(of, spare, (size_t)n * sizeof(int));
}
int main(void) {
  int a[64];
  for (int i = 0; i < 64; i++) a[i] = i * 37 % 64;
  sort(a, buffer, 64);
  printf("%d\n", a[0]);
  return 0;
}
