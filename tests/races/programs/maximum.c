#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int a[50], largest;
int main(void) {
  for (int i = 0; i < 50; i++) a[i] = i * 37 % 50;
  cilk_for(int i = 0; i < 50; i++) {     // @loop
    if (a[i] > largest) largest = a[i];  // RACE: here, here, loop
  }
  printf("%d\n", largest > 0);
  return 0;
}
