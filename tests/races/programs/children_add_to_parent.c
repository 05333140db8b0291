#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  long sum;
  struct node* parent;
};
void add_up(struct node* n, int depth) {
  struct node children[2] = {{depth, n}, {depth, n}};
  if (depth > 0) {
    cilk_spawn add_up(&children[0], depth - 1);  // @spawn
    add_up(&children[1], depth - 1);
    cilk_sync;
  }
  if (n->parent != NULL) n->parent->sum += n->sum;  // RACE: here, here, spawn
}
int main(void) {
  struct node root = {0, NULL};
  add_up(&root, 2);
  printf("%d\n", root.sum > 0);
  return 0;
}
