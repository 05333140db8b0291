#include "tests/host_code/programs.h"

#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channels/cilk/abi.h"

/* ---- fib ---- */

struct fib_1 {
  long* x;
  long n;
};
static void fib_run_1(void* closure) {
  struct fib_1* const c = closure;
  *c->x = fib(c->n);
}
static CHANNELS_CILK_COLD void fib_spawn_1(channels_cilk_frame* frame, long* x, long n) {
  struct fib_1 c = {x, n};
  channels_cilk_give(frame, fib_run_1, NULL, &c, sizeof c);
}

long fib(long n) {
  CHANNELS_CILK_FRAME;
  if (n < 2) return n;
  long x;
  do {
    if (channels_cilk_hungry(&cilk_frame))
      fib_spawn_1(&cilk_frame, &x, n - 1);
    else
      x = fib(n - 1);
  } while (0);
  const long y = fib(n - 2);
  channels_cilk_sync(&cilk_frame);
  return x + y;
}

/* ---- queens ---- */

static int safe(const char* board, int row, int column) {
  for (int i = 0; i < row; ++i) {
    const int apart = board[i] - column;
    if (apart == 0 || apart == row - i || apart == i - row) return 0;
  }
  return 1;
}

static long place(int rows, int row, const char* board);

struct place_1 {
  long* count;
  int rows, row;
  const char* board;
};
static void place_run_1(void* closure) {
  struct place_1* const c = closure;
  *c->count = place(c->rows, c->row, c->board);
}
static CHANNELS_CILK_COLD void place_spawn_1(channels_cilk_frame* frame, long* count, int rows,
                                             int row, const char* board) {
  struct place_1 c = {count, rows, row, board};
  channels_cilk_give(frame, place_run_1, NULL, &c, sizeof c);
}

static long place(int rows, int row, const char* board) {
  CHANNELS_CILK_FRAME;
  if (row == rows) return 1;
  long* const counts = alloca((size_t)rows * sizeof(long));
  memset(counts, 0, (size_t)rows * sizeof(long));
  for (int column = 0; column < rows; ++column) {
    if (!safe(board, row, column)) continue;
    char* const next = alloca((size_t)row + 1);
    memcpy(next, board, (size_t)row);
    next[row] = (char)column;
    if (channels_cilk_hungry(&cilk_frame))
      place_spawn_1(&cilk_frame, &counts[column], rows, row + 1, next);
    else
      counts[column] = place(rows, row + 1, next);
  }
  channels_cilk_sync(&cilk_frame);
  long sum = 0;
  for (int column = 0; column < rows; ++column) sum += counts[column];
  return sum;
}

long queens(int rows) { return place(rows, 0, ""); }

/* ---- chain ---- */

struct chain_1 {
  long* below;
  long n;
};
static void chain_run_1(void* closure) {
  struct chain_1* const c = closure;
  *c->below = chain(c->n);
}
static CHANNELS_CILK_COLD void chain_spawn_1(channels_cilk_frame* frame, long* below, long n) {
  struct chain_1 c = {below, n};
  channels_cilk_give(frame, chain_run_1, NULL, &c, sizeof c);
}

long chain(long n) {
  CHANNELS_CILK_FRAME;
  if (n == 0) return 0;
  long below;
  if (channels_cilk_hungry(&cilk_frame))
    chain_spawn_1(&cilk_frame, &below, n - 1);
  else
    below = chain(n - 1);
  channels_cilk_sync(&cilk_frame);
  return below + 1;
}

/* ---- lopsided ---- */

struct lopsided_1 {
  long* small;
  long n;
};
static void lopsided_run_1(void* closure) {
  struct lopsided_1* const c = closure;
  *c->small = lopsided(c->n);
}
static CHANNELS_CILK_COLD void lopsided_spawn_1(channels_cilk_frame* frame, long* small, long n) {
  struct lopsided_1 c = {small, n};
  channels_cilk_give(frame, lopsided_run_1, NULL, &c, sizeof c);
}

long lopsided(long n) {
  CHANNELS_CILK_FRAME;
  if (n <= 1) return 1;
  long small;
  if (channels_cilk_hungry(&cilk_frame))
    lopsided_spawn_1(&cilk_frame, &small, n / 8);
  else
    small = lopsided(n / 8);
  const long large = lopsided(n - n / 8 - 1);
  channels_cilk_sync(&cilk_frame);
  return 1 + small + large;
}

/* ---- leaves_early ---- */

long leaves_early(long* target, long n) {
  CHANNELS_CILK_FRAME;
  if (channels_cilk_hungry(&cilk_frame))
    fib_spawn_1(&cilk_frame, target, n);
  else
    *target = fib(n);
  if (n % 2 == 0) return 1;
  for (long i = 0; i < 10; ++i) {
    long own;
    if (channels_cilk_hungry(&cilk_frame))
      fib_spawn_1(&cilk_frame, &own, i);
    else
      own = fib(i);
    channels_cilk_sync(&cilk_frame);
    if (own == 5) return 2;
  }
  return 3;
}

/* ---- assigns_in_order ---- */

static uint64_t digit(int i) { return (uint64_t)fib(i % 12) + (uint64_t)i; }

struct assign_1 {
  uint64_t* hash;
  int i;
  uint64_t result;
};
static void assign_run_1(void* closure) {
  struct assign_1* const c = closure;
  c->result = digit(c->i);
}
static void assign_finish_1(void* closure) {
  struct assign_1* const c = closure;
  *c->hash = *c->hash * 31 + c->result;
}
static CHANNELS_CILK_COLD void assign_spawn_1(channels_cilk_frame* frame, uint64_t* hash, int i) {
  struct assign_1 c = {hash, i, 0};
  channels_cilk_give(frame, assign_run_1, assign_finish_1, &c, sizeof c);
}

uint64_t assigns_in_order(int n) {
  CHANNELS_CILK_FRAME;
  uint64_t hash = 7;
  /* A plain call assigns at once, which is its place only when nothing before it is still to be
   * assigned. */
  for (int i = 0; i < n; ++i) {
    if (channels_cilk_hungry(&cilk_frame) || cilk_frame.children != NULL)
      assign_spawn_1(&cilk_frame, &hash, i);
    else
      hash = hash * 31 + digit(i);
    if (i % 7 == 6) channels_cilk_sync(&cilk_frame);
  }
  channels_cilk_sync(&cilk_frame);
  return hash;
}

uint64_t assigns_in_order_serially(int n) {
  uint64_t hash = 7;
  for (int i = 0; i < n; ++i) hash = hash * 31 + digit(i);
  return hash;
}

/* ---- sums ---- */

struct sums_1 {
  struct five* result;
  struct five from;
  int depth;
};
static void sums_run_1(void* closure) {
  struct sums_1* const c = closure;
  *c->result = sums(c->from, c->depth);
}
static CHANNELS_CILK_COLD void sums_spawn_1(channels_cilk_frame* frame, struct five* result,
                                            struct five from, int depth) {
  struct sums_1 c = {result, from, depth};
  channels_cilk_give(frame, sums_run_1, NULL, &c, sizeof c);
}

struct five sums(struct five from, int depth) {
  CHANNELS_CILK_FRAME;
  if (depth == 0) return from;
  struct five halves[2];
  for (int i = 0; i < 2; ++i) {
    from.of[i] += depth;
    from.of[4] ^= from.of[i];
    if (channels_cilk_hungry(&cilk_frame))
      sums_spawn_1(&cilk_frame, &halves[i], from, depth - 1);
    else
      halves[i] = sums(from, depth - 1);
  }
  channels_cilk_sync(&cilk_frame);
  for (int i = 0; i < 5; ++i) halves[0].of[i] = halves[0].of[i] * 3 + halves[1].of[i];
  return halves[0];
}

/* ---- many_syncs ---- */

static __attribute__((noinline)) void count_one(long* counter) { ++*counter; }

struct count_1 {
  long* counter;
};
static void count_run_1(void* closure) {
  struct count_1* const c = closure;
  count_one(c->counter);
}
static CHANNELS_CILK_COLD void count_spawn_1(channels_cilk_frame* frame, long* counter) {
  struct count_1 c = {counter};
  channels_cilk_give(frame, count_run_1, NULL, &c, sizeof c);
}

long many_syncs(int n) {
  CHANNELS_CILK_FRAME;
  long a = 0;
  long b = 0;
  for (int i = 0; i < n; ++i) {
    if (channels_cilk_hungry(&cilk_frame))
      count_spawn_1(&cilk_frame, &a);
    else
      count_one(&a);
    count_one(&b);
    channels_cilk_sync(&cilk_frame);
  }
  return a + b;
}

/* ---- squares, triangle ---- */

struct squares_1 {
  uint64_t* target;
};
static void squares_run_1(void* closure, uint64_t begin, uint64_t end) {
  struct squares_1* const c = closure;
  for (uint64_t i = begin; i < end; ++i) c->target[i] += i * i;
}

void squares(uint64_t* target, uint64_t n, uint64_t grain) {
  struct squares_1 c = {target};
  channels_cilk_for(n, grain, squares_run_1, &c);
}

static void add_identity(void* view) { *(uint64_t*)view = 0; }
static void add_reduce(void* left, void* right) { *(uint64_t*)left += *(uint64_t*)right; }

struct triangle_1 {
  uint64_t* sum;
  uint64_t row;
};
static void triangle_inner(void* closure, uint64_t begin, uint64_t end) {
  struct triangle_1* const c = closure;
  for (uint64_t i = begin; i < end; ++i) {
    *(uint64_t*)channels_cilk_view(c->sum, sizeof *c->sum, add_identity, add_reduce) += c->row ^ i;
  }
}
static void triangle_outer(void* closure, uint64_t begin, uint64_t end) {
  struct triangle_1* const c = closure;
  for (uint64_t i = begin; i < end; ++i) {
    struct triangle_1 inner = {c->sum, i};
    channels_cilk_for(i, 0, triangle_inner, &inner);
  }
}

uint64_t triangle(uint64_t n) {
  uint64_t sum = 0;
  channels_cilk_reducer_begin(&sum, sizeof sum, add_identity, add_reduce);
  struct triangle_1 c = {&sum, 0};
  channels_cilk_for(n, 0, triangle_outer, &c);
  channels_cilk_reducer_end(&sum);
  return sum;
}

/* ---- numbers ---- */

void text_identity(void* view) { *(struct text*)view = (struct text){NULL, 0, 0}; }

static void text_append_n(struct text* to, const char* what, uint64_t length) {
  if (to->length + length + 1 > to->room) {
    to->room = 2 * (to->length + length + 1);
    to->characters = realloc(to->characters, to->room);
  }
  memcpy(to->characters + to->length, what, length);
  to->length += length;
  to->characters[to->length] = 0;
}

void text_append(struct text* to, const char* what) { text_append_n(to, what, strlen(what)); }

void text_reduce(void* left, void* right) {
  struct text* const r = right;
  if (r->length != 0) text_append_n(left, r->characters, r->length);
  free(r->characters);
}

static void append_number(struct text* leftmost, long i) {
  char written[32];
  snprintf(written, sizeof written, "%ld ", i);
  text_append(channels_cilk_view(leftmost, sizeof *leftmost, text_identity, text_reduce), written);
}

static void append_numbers(struct text* to, long begin, long end);

struct append_1 {
  struct text* to;
  long begin, end;
};
static void append_run_1(void* closure) {
  struct append_1* const c = closure;
  append_numbers(c->to, c->begin, c->end);
}
static CHANNELS_CILK_COLD void append_spawn_1(channels_cilk_frame* frame, struct text* to,
                                              long begin, long end) {
  struct append_1 c = {to, begin, end};
  channels_cilk_give(frame, append_run_1, NULL, &c, sizeof c);
}

/* Three children, and numbers of the function itself between them: strands meet in every way. */
static void append_numbers(struct text* to, long begin, long end) {
  CHANNELS_CILK_FRAME;
  const long part = (end - begin) / 4;
  if (part == 0) {
    for (long i = begin; i < end; ++i) append_number(to, i);
    return;
  }
  for (int child = 0; child < 3; ++child) {
    if (channels_cilk_hungry(&cilk_frame))
      append_spawn_1(&cilk_frame, to, begin, begin + part);
    else
      append_numbers(to, begin, begin + part);
    begin += part;
    if (child == 1) append_number(to, begin++);
    if (child == 2 && begin < end) channels_cilk_sync(&cilk_frame);
  }
  for (long i = begin; i < end; ++i) append_number(to, i);
}

static void append_range(void* closure, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end; ++i) append_number(closure, (long)i);
}

char* numbers(long n, int by_loop) {
  struct text all;
  text_identity(&all);
  channels_cilk_reducer_begin(&all, sizeof all, text_identity, text_reduce);
  if (by_loop)
    channels_cilk_for((uint64_t)n, 0, append_range, &all);
  else
    append_numbers(&all, 0, n);
  channels_cilk_reducer_end(&all);
  return all.characters;
}
