// What the body of a cilk_for in C can use of the function around it.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big { int a[40]; };
typedef struct { int x, y; } point;

static int matrix(int rows, int columns, int m[rows][columns]) {
  int scale = 3, total = 0;
  int t[columns][rows];
  int cube[2][rows][columns];
  int* last = NULL;
  struct big big = {{1, 2, 3}};
  point p = {4, 5}, *pp = &p;
  static int calls = 0;
  const char* text = "abc";
  char name[8] = "xyz";
  int (*f)(int) = abs;
  cilk_for (int i = 0; i < columns; i++) {
    cilk_for (int j = 0; j < rows; j++) {
      t[i][j] = m[j][i] * scale + big.a[i % 3] + p.x + pp->y + f(-i);
      cube[1][j][i] = t[i][j] + (int)sizeof t[0] + (int)sizeof name + text[i % 3] + name[j % 3];
    }
  }
  cilk_for (int i = 0; i < 1; i++) {
    last = &t[0][0];
    calls++;
    big.a[39] = calls;
    p.y = 7;
    memset(&name, 'q', 2);
    strcpy(name + 3, text);
  }
  cilk_for (int i = 0; i < 2; i++) {
    int size = 3;
    int own[size + i];
    struct inside { int v; } s = {i};
    enum { K = 4 };
    for (int k = 0; k < size + i; k++) own[k] = k * K + s.v;
    int* mine = &cube[0][0][0] + i;
    *mine = own[size + i - 1];
  }
  for (int i = 0; i < columns; i++) for (int j = 0; j < rows; j++) total = total * 31 + t[i][j] + cube[1][j][i];
  return total + (last == &t[0][0]) + calls + big.a[39] + p.y + cube[0][0][0] + cube[0][0][1] + name[0];
}

static int recursive(int n) {
  int parts[4] = {0}, s = 0, i;
  if (n <= 0) return 1;
  cilk_for (i = 0; i < 4; ++i) {
    int inner = cilk_spawn recursive(n - 1 - i);
    parts[i] = recursive(n - 2);
    cilk_sync;
    parts[i] += inner;
  }
  cilk_for (int* q = parts; q != parts + 4; ++q) *q += (int)(q - parts);
  for (int k = 0; k < 4; k++) s += parts[k];
  return s + i;
}

int main(void) {
  int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  printf("%d %d\n", matrix(3, 4, m), recursive(5));
  return 0;
}
