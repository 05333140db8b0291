// Every form of spawn in C: places, callees, arguments, positions, macros, old-style functions, alloca in a loop.
// RUN: %host-code-run-and-compare %s 
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>

typedef struct { double x, y; } vec;
struct node { struct node *l, *r; int v; unsigned bits : 5; };
enum color { RED, GREEN };
typedef int (*op)(int, int);
static int g;
static int add(int a, int b) { return a + b; }
static int mul(a, b) int a, b; { return a * b; }
static vec mk(double x, double y) { vec v = {x, y}; return v; }
static void put(int *p, int v) { *p = v; }
static char *name(const char *s) { return strdup(s); }
static float half(float f) { return f / 2; }
static enum color flip(enum color c) { return c == RED ? GREEN : RED; }
op table[2] = {add, mul};
static int sum(const int a[], int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int sum2(int n, int a[n][n]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j]; return s; }

int fibk(n) int n; {
  int x, y;
  if (n < 2) return n;
  x = cilk_spawn fibk(n - 1);
  y = fibk(n - 2);
  cilk_sync;
  return (x + y);
}

int tree(struct node *t) {
  if (!t) return 0;
  int a = cilk_spawn tree(t->l), b = cilk_spawn tree(t->r), c = t->v;
  cilk_sync;
  return a + b + c;
}

int queens(char *board, int n, int row) {
  int *count, i, j, s = 0;
  if (row == n) return 1;
  count = (int *)alloca(n * sizeof(int));
  memset(count, 0, n * sizeof(int));
  for (i = 0; i < n; i++) {
    char *b = (char *)alloca((row + 1) * sizeof(char));
    memcpy(b, board, row);
    b[row] = i;
    for (j = 0; j < row; j++)
      if (b[j] == i || abs(b[j] - i) == row - j) goto bad;
    count[i] = cilk_spawn queens(b, n, row + 1);
  bad:;
  }
  cilk_sync;
  for (i = 0; i < n; i++) s += count[i];
  return s;
}

#define SPAWN(x, f, ...) x = cilk_spawn f(__VA_ARGS__)
#define GO cilk_spawn
#define WAIT() do { cilk_sync; } while (0)
#define PAIR(a, b) do { int q1, q2; q1 = cilk_spawn add(a, b); \
    q2 = cilk_spawn add(b, a); cilk_sync; g += q1 + q2; } while (0)

int main() {
  int i, a[5] = {1, 2, 3, 4, 5}, m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  struct node n1 = {0, 0, 3, 0}, n2 = {0, 0, 4, 0}, root = {&n1, &n2, 5, 0}, *pr = &root;
  const int c = cilk_spawn add(3, 4);
  vec v = cilk_spawn mk(1.5, 2.5), w;
  float f = cilk_spawn half(3);
  char *s = cilk_spawn name("hello");
  enum color col = cilk_spawn flip(RED);
  long conv;
  double d;
  int fp, arr[4], total = 0, t2 = 1;
  w = cilk_spawn mk(3, 4);
  conv = (long)cilk_spawn add(1, 1);
  d = cilk_spawn add(2, 2);
  fp = cilk_spawn table[1](6, 7);
  arr[1] = cilk_spawn (*table[0])(1, 2);
  *(arr + 2) = cilk_spawn sum(a, 5);
  arr[3] = cilk_spawn sum2(3, m);
  pr->v = cilk_spawn tree(&n1);
  pr->bits = cilk_spawn add(1, 2);
  g = cilk_spawn fibk(10);
  cilk_spawn put(&arr[0], 9);
  (void)cilk_spawn add(1, 2);
  for (i = 0; i < 5; i++) total += cilk_spawn add(i, a[i]);
  t2 *= cilk_spawn add(1, 1);
  d -= cilk_spawn half(1);
  cilk_sync;
  printf("%d %g %g %g %g %s %d %ld %g %d\n", c, v.x, v.y, w.x, f, s, col, conv, d, fp); free(s);
  printf("%d %d %d %d %d %d %d %d %d\n", arr[0], arr[1], arr[2], arr[3], root.v, root.bits, g, total, t2);
  if (c) fp = cilk_spawn add(c, 1); else fp = cilk_spawn add(c, 2);
  c > 3 ? cilk_spawn put(&arr[0], 1) : cilk_spawn put(&arr[0], 2);
  cilk_spawn put(&arr[1], 5), cilk_spawn put(&arr[2], 6);
  switch (c) { case 7: cilk_spawn put(&arr[3], 8); break; default: cilk_spawn put(&arr[3], 7); }
  i = 0;
  while (i < 3) { a[i] = cilk_spawn add(i, i); i++; }
  do { a[i] = cilk_spawn add(i, 1); cilk_sync; } while (++i < 5);
  cilk_sync;
  for (i = 0; i < 5; i++) printf("%d ", a[i]);
  printf("%d %d %d %d %d\n", fp, arr[0], arr[1], arr[2], arr[3]);
  printf("queens %d tree %d\n", queens((char *)"", 6, 0), tree(&root));
  SPAWN(fp, add, 2,
        3);
  arr[0] = GO mul(3, 3);
  WAIT();
  PAIR(4, 5);
  int tmp = ({ int y; y = cilk_spawn add(1, 5); cilk_sync; y; });
  printf("%d %d %d %d line %d\n", fp, arr[0], g, tmp, __LINE__);
  return cilk_spawn add(0, 0);
}
