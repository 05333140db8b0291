#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node* next;
}* head;
void prepend(int value) {
  struct node* made = malloc(sizeof *made);
  made->value = value;
  made->next = head;
  head = made;  // RACE: here, here, loop
}
int main(void) {
  cilk_for(int i = 0; i < 4; i++) prepend(i);  // @loop
  printf("%d\n", head->value > 9);
  return 0;
}
