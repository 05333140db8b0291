#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int key;
  struct node *left, *right;
};
struct node* insert(struct node* at, struct node* made) {
  if (at == NULL) return made;
  if (made->key < at->key)
    at->left = insert(at->left, made);
  else
    at->right = insert(at->right, made);  // RACE: here, here, spawn
  return at;
}
int main(void) {
  static struct node root = {5, 0, 0}, one = {7, 0, 0}, two = {9, 0, 0};
  cilk_spawn insert(&root, &one);  // @spawn
  insert(&root, &two);
  cilk_sync;
  printf("%d\n", root.right != NULL);
  return 0;
}
