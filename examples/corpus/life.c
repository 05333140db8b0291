/* Conway's game of life on a torus of bytes, in the C of before prototypes; one cilk_for over the
 * rows of a step. */
/* It takes definitions without prototypes apart: */
/* clang-format off */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define ALIVE '*'
#define DEAD '.'
#define CELL(g, r, c) ((g)[(size_t)((r) + 1) * (cols + 2) + (c) + 1])
#define LIVE(g, r, c) (CELL(g, r, c) == ALIVE)

int rows = 64, cols = 64;

/* The edges around the board repeat the opposite sides. */
static void wrap(g)
char* g;
{
  cilk_for (int i = 0; i < rows; i++) {
    CELL(g, i, -1) = CELL(g, i, cols - 1);
    CELL(g, i, cols) = CELL(g, i, 0);
  }
  memcpy(&CELL(g, -1, -1), &CELL(g, rows - 1, -1), cols + 2);
  memcpy(&CELL(g, rows, -1), &CELL(g, 0, -1), cols + 2);
}

static void step_row(from, to, r)
char *from, *to;
int r;
{
  register int c;
  for (c = 0; c < cols; c++) {
    int around = LIVE(from, r - 1, c - 1) + LIVE(from, r - 1, c) + LIVE(from, r - 1, c + 1) +
                 LIVE(from, r, c - 1) + LIVE(from, r, c + 1) + LIVE(from, r + 1, c - 1) +
                 LIVE(from, r + 1, c) + LIVE(from, r + 1, c + 1);
    CELL(to, r, c) = around == 3 || (around == 2 && LIVE(from, r, c)) ? ALIVE : DEAD;
  }
}

/* Leaves the last of the generations in a. */
static void play(a, b, generations)
char *a, *b;
int generations;
{
  size_t bytes = (size_t)(rows + 2) * (cols + 2);
  int g;
  for (g = 0; g < generations; g++) {
    char *from = g % 2 ? b : a, *to = g % 2 ? a : b;
    wrap(from);
    cilk_for (int r = 0; r < rows; ++r) step_row(from, to, r);
  }
  if (generations % 2) memcpy(a, b, bytes);
}

static void set_up(g)
char* g;
{
  static char* glider[] = {".*.", "..*", "***"};
  unsigned seed = 2024;
  int r, c;
  for (r = 0; r < rows; r++)
    for (c = 0; c < cols; c++) {
      seed = seed * 1664525u + 1013904223u;
      CELL(g, r, c) = (seed >> 24) < 80 ? ALIVE : DEAD;
    }
  for (r = 0; r < 3 && r < rows; r++)
    for (c = 0; c < 3 && c < cols; c++) CELL(g, r, c) = glider[r][c];
}

static void report(g, generations)
char* g;
int generations;
{
  unsigned long long hash = 14695981039346656037ull;
  long alive = 0;
  int r, c;
  for (r = 0; r < rows; r++)
    for (c = 0; c < cols; c++) {
      alive += LIVE(g, r, c);
      hash = (hash ^ (unsigned char)CELL(g, r, c)) * 1099511628211ull;
    }
  printf("life %d x %d after %d generations: %ld alive, hash %016llx\n", rows, cols, generations,
         alive, hash);
}

int main(argc, argv)
int argc;
char** argv;
{
  int generations = 50;
  char *a, *b;

  argc = timing_option(argc, argv);
  switch (argc) {
    default: fprintf(stderr, "Usage: life [-t] [<generations> [<rows> [<columns>]]]\n"); return 1;
    case 4: cols = atoi(argv[3]);        /* FALLTHROUGH */
    case 3: rows = atoi(argv[2]);        /* FALLTHROUGH */
    case 2: generations = atoi(argv[1]); /* FALLTHROUGH */
    case 1: break;
  }
  a = calloc(rows + 2, cols + 2);
  b = calloc(rows + 2, cols + 2);
  set_up(a);
  timing_begin();
  play(a, b, generations);
  timing_end();
  report(a, generations);
  free(a);
  free(b);
  return 0;
}
