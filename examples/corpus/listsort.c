/* Mergesort of a linked list: the spawned half's result is a pointer; stable, which equal keys
 * show. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

struct node {
  struct node* next;
  int key, order;
};

#define BEFORE(a, b) ((a)->key <= (b)->key)

static struct node* merge(struct node* a, struct node* b) {
  struct node *head, **tail = &head;
  while (a && b) {
    struct node** least = BEFORE(a, b) ? &a : &b;
    *tail = *least;
    tail = &(*tail)->next;
    *least = (*least)->next;
  }
  *tail = a ? a : b;
  return head;
}

/* Cuts the list after half of its n nodes and returns the rest. */
static struct node* cut(struct node* list, int n) {
  struct node* rest;
  while (--n > 0) list = list->next;
  rest = list->next;
  list->next = NULL;
  return rest;
}

struct node* sort(struct node* list, int n) {
  struct node *left, *right;
  if (n < 2) return list;
  right = cut(list, n / 2);
  left = cilk_spawn sort(list, n / 2);
  right = sort(right, n - n / 2);
  cilk_sync;
  return merge(left, right);
}

int main(int argc, char** argv) {
  int n = 20000, i, good = 1, count = 0;
  struct node *pool, *list, *p;
  unsigned long long hash = 0;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1) return 1;
  pool = malloc(n * sizeof(*pool));
  for (i = 0; i < n; i++) {
    pool[i].key = (int)((i * 2654435761u >> 7) % (n / 4 + 1));
    pool[i].order = i;
    pool[i].next = i + 1 < n ? &pool[i + 1] : NULL;
  }

  timing_begin();
  list = sort(pool, n);
  timing_end();

  for (p = list; p; p = p->next) {
    count++;
    hash = hash * 1000003u + (unsigned)p->order;
    if (p->next && (p->key > p->next->key || (p->key == p->next->key && p->order > p->next->order)))
      good = 0;
  }
  good &= count == n;
  printf("listsort of %d: hash %016llx, %s\n", n, hash, good ? "sorted" : "WRONG");
  free(pool);
  return good ? 0 : 1;
}
