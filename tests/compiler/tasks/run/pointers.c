// Functions without results that write through pointers, a dropped result, and an implicit sync at the end.
// RUN: %tasks-run-and-compare %s 300
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int touch(int* place, int value) {
  *place = value;
  return value;
}

static void fill(int* values, int first, int count) {
  if (count <= 0) return;
  if (count == 1) {
    cilk_spawn touch(values, first * first);
    return;
  }
  int half = count / 2;
  cilk_spawn fill(values, first, half);
  fill(values + half, first + half, count - half);
}

static void total(const int* values, int count, long* result) {
  long left = 0, right = 0;
  if (count == 1) {
    *result = *values;
    return;
  }
  cilk_spawn total(values, count / 2, &left);
  cilk_spawn total(values + count / 2, count - count / 2, &right);
  cilk_sync;
  *result = left + right;
}

// The macro is a number in C++.
static int* find(int* values, int count, int what) {
  if (count == 0) return NULL;
  if (count == 1) return *values == what ? values : NULL;
  int* left = cilk_spawn find(values, count / 2, what);
  int* right = find(values + count / 2, count - count / 2, what);
  cilk_sync;
  if (left != NULL) return left;
  if (right != NULL) return right;
  return NULL;
}
static int* mark(int* place) {
  cilk_spawn touch(place, 7);
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  int n = atoi(argv[1]);
  int* values = malloc(n * sizeof(int));
  memset(values, 0, n * sizeof(int));
  fill(values, 0, n);
  long result = 0;
  total(values, n, &result);
  int* five = find(values, n, 25);
  int* none = mark(values + n / 2);
  printf("%ld %d %d %d\n", result, (int)(five - values), none == NULL && find(values, n, 26) == NULL, values[n / 2]);
  free(values);
  return 0;
}
