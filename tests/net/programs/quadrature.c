/* Integrates a function with a sharp ridge over a rectangle, more finely where it bends. A task
 * gets a rectangle by value and returns several figures by value. The table of its samples is
 * filled by tasks that write through a pointer, and so stay where they are. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>

typedef struct {
  double left, right, low, high;
} rectangle;

typedef struct {
  double sum;
  double largest;
  long pieces;
  char deepest;
} figures;

static double height(double x, double y) { return 1.0 / (1e-4 + fabs(x * x + y * y - 0.5)); }

static double rule(rectangle r) {
  const double x = (r.left + r.right) / 2, y = (r.low + r.high) / 2;
  return (r.right - r.left) * (r.high - r.low) * height(x, y);
}

static void split(rectangle r, rectangle parts[4]) {
  const double x = (r.left + r.right) / 2, y = (r.low + r.high) / 2;
  parts[0] = (rectangle){r.left, x, r.low, y};
  parts[1] = (rectangle){x, r.right, r.low, y};
  parts[2] = (rectangle){r.left, x, y, r.high};
  parts[3] = (rectangle){x, r.right, y, r.high};
}

static figures together(figures a, figures b) {
  figures all = {a.sum + b.sum, fmax(a.largest, b.largest), a.pieces + b.pieces,
                 a.deepest > b.deepest ? a.deepest : b.deepest};
  return all;
}

figures integrate(rectangle r, int depth) {
  rectangle parts[4];
  split(r, parts);
  double fine = 0;
  for (int i = 0; i < 4; i++) fine += rule(parts[i]);
  if (depth > 3 && (depth == 20 || fabs(fine - rule(r)) < 1e-9)) {
    figures f = {fine, height(r.left, r.low), 1, (char)depth};
    return f;
  }
  figures of[4];
  for (int i = 0; i < 3; i++) of[i] = cilk_spawn integrate(parts[i], depth + 1);
  of[3] = integrate(parts[3], depth + 1);
  cilk_sync;
  return together(together(of[0], of[1]), together(of[2], of[3]));
}

int sample(double* row, int columns, double y) {
  for (int i = 0; i < columns; i++) row[i] = height(i / (double)columns, y);
  return columns;
}

int main(void) {
  enum { rows = 32, columns = 32 };
  static double table[rows][columns];
  int done[rows];
  for (int i = 0; i < rows; i++) done[i] = cilk_spawn sample(table[i], columns, i / (double)rows);
  rectangle all = {0, 1, 0, 1};
  figures f = cilk_spawn integrate(all, 0);
  cilk_sync;
  int samples = 0;
  double sum = 0;
  for (int i = 0; i < rows; i++) {
    samples += done[i];
    for (int j = 0; j < columns; j++) sum += table[i][j];
  }
  printf("%.17g %.17g %ld %d\n", f.sum, f.largest, f.pieces, f.deepest);
  printf("%d samples, %.17g\n", samples, sum);
  return 3;
}
