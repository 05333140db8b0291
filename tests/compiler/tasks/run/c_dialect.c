// C that needs care in C++: restrict, _Bool, extern, several declarators, designators, enums, old casts.
// RUN: %tasks-run-and-compare %s 9
#include <cilk/cilk.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int first(int), second(int);
int third(void), fourth(void);
enum state { CLOSED, OPEN };
typedef struct node node;
struct node {
  node* next;
  union {
    int i;
    float f;
  } value;
  enum state state;
};

static _Bool is_odd(const int* restrict n) { return *n & 1; }

static uint64_t sum_list(const node* restrict head, unsigned char depth, _Bool flag) {
  if (head == NULL || depth == 0) return flag;
  node copy = {.value = {.i = head->value.i}, .next = head->next};
  uint64_t rest = 0, other = 0;
  char label[] = "list";
  if (is_odd(&copy.value.i)) other = cilk_spawn sum_list(copy.next, depth / 2, !flag);
  rest = cilk_spawn sum_list(head->next, depth - 1, flag);
  cilk_sync;
  return copy.value.i + rest * 3 + other + (copy.state == OPEN) + strlen(label);
}

int first(int n) { return n + 1; }
int second(int n) { return first(n) * 2; }
int third(void) { return second(3); }
int fourth(void) { return third(); }

int main(int argc, char** argv) {
  (void)argc;
  node* head = NULL;
  for (int i = 0; i < atoi(argv[1]); ++i) {
    node* added = malloc(sizeof *added);
    *added = (node){.value.i = i, .next = head, .state = i % 2};
    head = added;
  }
  bool flag = true;
  printf("%llu %d\n", (unsigned long long)sum_list(head, 200, flag), fourth());
  while (head) {
    node* next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
