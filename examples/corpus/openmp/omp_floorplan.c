/* The smallest rectangle around a row of cells, each of which has several shapes and is placed
 * right of or below an earlier one: branch and bound.
 *
 * omp_floorplan [-t] [cells] [depth of tasks] */
#include "../timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { side = 24, most_cells = 12, shapes = 3 };

struct shape {
  int width, height;
};
struct cell {
  struct shape shape[shapes];
};
struct place {
  int top, left, bottom, right; /* the last two are inside */
};
typedef char board[side][side];

static struct cell cells[most_cells];
static int count, cutoff;
static int least_area = side * side;
static long tried;

static int put(board on, int id, struct place at) {
  if (at.bottom >= side || at.right >= side) return 0;
  for (int i = at.top; i <= at.bottom; i++) {
    for (int k = at.left; k <= at.right; k++) {
      if (on[i][k] != 0) return 0;
    }
  }
  for (int i = at.top; i <= at.bottom; i++)
    memset(&on[i][at.left], id, (size_t)(at.right - at.left + 1));
  return 1;
}

static void add_cell(int id, const struct place* placed, const board on, int rows, int columns);

/* Places a cell in one of its shapes beside the one before it. */
static void try_shape(int id, int which, const struct place* placed, const board on, int rows,
                      int columns) {
  for (int below = 0; below < 2; below++) {
    struct place next[most_cells];
    board now;
    const struct place* before = &placed[id - 1];
    struct place at;
    at.top = below ? before->bottom + 1 : before->top;
    at.left = below ? before->left : before->right + 1;
    at.bottom = at.top + cells[id].shape[which].height - 1;
    at.right = at.left + cells[id].shape[which].width - 1;
    memcpy(now, on, sizeof now);
#pragma omp atomic
    tried += 1;
    if (!put(now, id + 1, at)) continue;
    int high = at.bottom + 1 > rows ? at.bottom + 1 : rows;
    int wide = at.right + 1 > columns ? at.right + 1 : columns;
    int least;
#pragma omp atomic read
    least = least_area;
    if (high * wide >= least) continue;
    memcpy(next, placed, sizeof next);
    next[id] = at;
    if (id + 1 < count) {
      add_cell(id + 1, next, now, high, wide);
    } else {
#pragma omp critical
      {
        if (high * wide < least_area) least_area = high * wide;
      }
    }
  }
}

static void add_cell(int id, const struct place* placed, const board on, int rows, int columns) {
  if (id > cutoff) {
    for (int which = 0; which < shapes; which++) try_shape(id, which, placed, on, rows, columns);
    return;
  }
  for (int which = 0; which < shapes; which++) {
#pragma omp task untied firstprivate(which) final(id >= cutoff) mergeable
    try_shape(id, which, placed, on, rows, columns);
  }
#pragma omp taskwait
}

int main(int argc, char** argv) {
  struct place placed[most_cells];
  board on;
  argc = timing_option(argc, argv);
  count = argc > 1 ? atoi(argv[1]) : 5;
  cutoff = argc > 2 ? atoi(argv[2]) : 3;
  if (count < 2 || count > most_cells) return 1;
  unsigned random = 11;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < shapes; k++) {
      random = random * 1664525u + 1013904223u;
      cells[i].shape[k].width = 1 + (int)(random >> 24) % 5;
      cells[i].shape[k].height = 1 + (int)(random >> 16) % 5;
    }
  }
  timing_begin();
  memset(on, 0, sizeof on);
  memset(placed, 0, sizeof placed);
  for (int which = 0; which < shapes; which++) {
    board first;
    struct place at = {0, 0, cells[0].shape[which].height - 1, cells[0].shape[which].width - 1};
    memcpy(first, on, sizeof first);
    if (!put(first, 1, at)) continue;
    placed[0] = at;
#pragma omp parallel
#pragma omp single
    add_cell(1, placed, first, at.bottom + 1, at.right + 1);
  }
  timing_end();
  printf("omp_floorplan %d: area %d, %s\n", count, least_area,
         tried > count ? "searched" : "not searched");
  return 0;
}
