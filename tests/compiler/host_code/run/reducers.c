// Reducers in C: globals, locals, members, typedefs, pointers to them, in macros; not commutative ones too.
// RUN: %host-code-run-and-compare %s 
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
static void zero(void *v) { *(long *)v = 0; }
static void plus(void *l, void *r) { *(long *)l += *(long *)r; }
typedef struct node { int v; struct node *next; } node;
typedef struct { node *head, *tail; } list;
static void lid(void *v) { memset(v, 0, sizeof(list)); }
static void lred(void *l, void *r) { list *a = l, *b = r; if (!b->head) return; if (!a->head) *a = *b; else { a->tail->next = b->head; a->tail = b->tail; } }
static void push(list *l, int v) { node *n = malloc(sizeof *n); n->v = v; n->next = 0; if (l->tail) l->tail->next = n; else l->head = n; l->tail = n; }
long cilk_reducer(zero, plus) total = 5;
typedef long cilk_reducer(zero, plus) summer;
static summer other;
list cilk_reducer(lid, lred) order;
struct holder { int pad; long cilk_reducer(zero, plus) sum; summer arr2; } hold;
#define BUMP(n) (total += (n))
extern long cilk_reducer(zero, plus) ext;
static void walk(int lo, int hi) {
  if (hi - lo == 1) { BUMP(lo); other++; push(&order, lo); hold.sum += 2; hold.arr2 -= 1; ext++; return; }
  int m = (lo + hi) / 2;
  cilk_spawn walk(lo, m);
  walk(m, hi);
  cilk_sync;
}
long ext = 3;
static void into(long cilk_reducer(zero, plus) *p, int n) { cilk_for (int i = 0; i < n; i++) *p += i; }
long local(int n) {
  long cilk_reducer(zero, plus) s = 10;
  summer arr = 1;
  static summer st;
  cilk_for (int i = 0; i < n; i++) { s += i; arr += 1; st += 2; }
  into(&s, n);
  assert(s > 10);
  return s * 1000 + arr * 10;
}
long rec(int n) { if (n < 2) return local(n + 3); long a = cilk_spawn rec(n - 1); long b = rec(n - 2); cilk_sync; return a + b; }
int main(void) {
  walk(0, 100);
  printf("%ld %ld %ld %ld %ld %zu\n", total, other, hold.sum, hold.arr2, ext, sizeof total);
  for (node *n = order.head; n; n = n->next) printf("%d ", n->v);
  printf("\n%ld %ld\n", local(50), rec(8) % 1000003);
  struct holder h; h.sum = 4; cilk_for (int i = 0; i < 10; i++) h.sum += i;
  long *p = &total; *p += 1;
  printf("%ld %ld\n", h.sum, total);
  return 0;
}
