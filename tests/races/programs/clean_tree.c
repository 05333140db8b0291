#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int key;
  struct node *left, *right;
};
static struct node* build(int from, int to) {
  if (from >= to) return NULL;
  struct node* made = malloc(sizeof *made);
  int middle = (from + to) / 2;
  made->key = middle;
  made->left = cilk_spawn build(from, middle);
  made->right = build(middle + 1, to);
  cilk_sync;
  return made;
}
static int sum_and_free(struct node* at) {
  if (at == NULL) return 0;
  int left = cilk_spawn sum_and_free(at->left);
  int right = sum_and_free(at->right);
  cilk_sync;
  int all = left + right + at->key;
  free(at);
  return all;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += sum_and_free(build(0, 30));
  printf("%d\n", sum);
  return 0;
}
