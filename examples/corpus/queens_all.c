/* All solutions of the n queens problem, as a list in the order in which the serial program finds
 * them. Two reducers: a count, and the list, whose reduction is concatenation and hence does not
 * commute. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

typedef struct solution {
  unsigned long long columns; /* four bits a row, the last row lowest */
  struct solution* next;
} solution;

typedef struct {
  solution* first;
  solution* last;
} list;

void list_identity(void* view) {
  list* l = (list*)view;
  l->first = l->last = NULL;
}

void list_reduce(void* left, void* right) {
  list* l = (list*)left;
  list* r = (list*)right;
  if (r->first == NULL) return;
  if (l->first == NULL)
    l->first = r->first;
  else
    l->last->next = r->first;
  l->last = r->last;
}

void count_identity(void* view) { *(long*)view = 0; }
void count_reduce(void* left, void* right) { *(long*)left += *(long*)right; }

long cilk_reducer(count_identity, count_reduce) found = 0;
list cilk_reducer(list_identity, list_reduce) all = {NULL, NULL};

static void keep(unsigned long long columns) {
  solution* s = (solution*)malloc(sizeof(*s));
  s->columns = columns;
  s->next = NULL;
  if (all.first == NULL)
    all.first = s;
  else
    all.last->next = s;
  all.last = s;
  found++;
}

/* Places a queen in the next row wherever `free` has a bit; the diagonals move on by one with each
 * row. */
static void place(int n, int row, unsigned taken, unsigned rising, unsigned falling,
                  unsigned long long columns) {
  unsigned free = ~(taken | rising | falling) & ((1u << n) - 1);

  if (row == n) {
    keep(columns);
    return;
  }
  while (free != 0) {
    unsigned bit = free & -free;
    free ^= bit;
    cilk_spawn place(n, row + 1, taken | bit, (rising | bit) << 1, (falling | bit) >> 1,
                     columns << 4 | (unsigned)__builtin_ctz(bit));
  }
}

static void print_board(int n, unsigned long long columns) {
  int row;
  for (row = n - 1; row >= 0; row--) printf(" %d", (int)(columns >> (4 * row) & 15));
  printf("\n");
}

int main(int argc, char** argv) {
  int n = 8;
  long walked = 0;
  unsigned long long hash = 0, before = 0;
  int ordered = 1;
  solution *s, *next;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > 15) {
    fprintf(stderr, "Usage: queens_all [-t] [<n from 1 to 15>]\n");
    return 1;
  }

  timing_begin();
  place(n, 0, 0, 0, 0, 0);
  timing_end();

  printf("%ld solutions for %d queens\n", found, n);
  if (all.first != NULL) {
    printf("first:");
    print_board(n, all.first->columns);
    printf("last: ");
    print_board(n, all.last->columns);
  }
  for (s = all.first; s != NULL; s = next) {
    next = s->next;
    hash = hash * 1000003u + s->columns;
    if (walked++ > 0 && s->columns <= before) ordered = 0;
    before = s->columns;
    free(s);
  }
  printf("list of %ld, %s, hash %016llx\n", walked, ordered ? "in order" : "out of order", hash);
  return walked == found && ordered ? 0 : 1;
}
