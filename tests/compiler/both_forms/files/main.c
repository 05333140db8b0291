#include <stdio.h>

#include "tree.h"

int main(void) {
  int (*pointer)(int) = tree;
  printf("%d %d %d %d\n", tree(9), pointer(11), list(10), limit + 5);
  return 0;
}
