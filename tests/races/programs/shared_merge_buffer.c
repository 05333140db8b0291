#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int a[16], buffer[16];
void sort(int* of, int n) {
  if (n < 2) return;
  int half = n / 2;
  cilk_spawn sort(of, half);  // @spawn
  sort(of + half, n - half);
  cilk_sync;
  for (int i = 0, left = 0, right = half; i < n; i++)
    buffer[i] = right == n || (left < half && of[left] < of[right])  // @merge
                    ? of[left++]
                    : of[right++];
  for (int i = 0; i < n; i++) of[i] = buffer[i];  // RACE: here, merge, spawn
  // RACE: merge, merge, spawn
}
int main(void) {
  for (int i = 0; i < 16; i++) a[i] = i * 7 % 16;
  sort(a, 16);
  printf("%d\n", a[0]);
  return 0;
}
