#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name(char* into, const char* kind, int n) {
  strcpy(into, kind);
  size_t length = strlen(into);
  snprintf(into + length, 8, "%d", n);
}
int main(int argc, char** argv) {
  (void)argv;
  static char names[6][16];
  cilk_for(int i = 0; i < 6; i++) name(names[i], argc > 3 ? "x" : "name", i);
  printf("%s %d\n", names[5], strcmp(names[0], names[1]) < 0);
  return 0;
}
