// goto around, into and out of regions that spawn; duff's device; early returns; setjmp where nothing spawns.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdio.h>

static int leaf(int n) { return n * 3 + 1; }

static int gotos(int n) {
  int i = 0, s = 0, a[8] = {0};
  if (n < 0) goto out;
again:
  a[i] = cilk_spawn leaf(i + n);
  if (++i < 8) goto again;
  cilk_sync;
  cilk_scope {
    a[0] = cilk_spawn leaf(n);
    if (n == 2) goto out;
    a[1] = cilk_spawn leaf(n + 1);
  }
  for (i = 0; i < 8; i++) {
    cilk_scope {
      if (a[i] % 2) continue;
      a[i] = cilk_spawn leaf(a[i]);
      if (n == 3 && i == 4) break;
    }
  }
out:
  cilk_sync;
  for (i = 0; i < 8; i++) s += a[i] * i;
  return s;
}

static int device(int n) {
  int a[16] = {0}, k = 0, rounds = (n + 3) / 4, s = 0;
  switch (n % 4) {
    case 0: do { a[k] = cilk_spawn leaf(k); k++;
    case 3:      a[k++] = cilk_spawn leaf(3);
    case 2:      a[k++] = cilk_spawn leaf(2); cilk_sync;
    case 1:      a[k++] = cilk_spawn leaf(1);
            } while (--rounds > 0);
  }
  cilk_sync;
  for (k = 0; k < 16; k++) s = s * 7 + a[k];
  return s;
}

static int computed(int n) {
  static void* const labels[] = {&&zero, &&one};
  int x = 0;
  goto *labels[n % 2];
zero:
  x = cilk_spawn leaf(n);
one:
  cilk_sync;
  return x;
}

static jmp_buf back;
static int careful(int n) {
  if (setjmp(back)) return -1;
  if (n == 3) longjmp(back, 1);
  return n;
}
static int calls_careful(int n) {
  int x = cilk_spawn leaf(n);
  int y = careful(n);
  cilk_sync;
  __asm__ volatile("" : "+r"(y));
  return x + y;
}

int main(void) {
  for (int n = -1; n < 6; n++) printf("%d %d %d %d\n", gotos(n), n < 1 ? 0 : device(n + 4), computed(n + 1), calls_careful(n));
  return 0;
}
