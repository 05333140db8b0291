/* Cholesky factorisation of a sparse symmetric matrix, of which the lower half is kept in a quad
 * tree: an inner node has four children, NULL where all is zero; a leaf is a block of 4 x 4. Nodes
 * come from malloc as they are needed. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

typedef double Real;

#define BLOCK_DEPTH 2 /* blocks are 2^BLOCK_DEPTH on a side */
#define BLOCK_SIZE (1 << BLOCK_DEPTH)

typedef Real Block[BLOCK_SIZE][BLOCK_SIZE];

struct InternalNode;
typedef union {
  struct InternalNode* internal;
  struct LeafNode* leaf;
} Matrix;

struct InternalNode {
  Matrix child[4];
};
struct LeafNode {
  Block block;
};

#define _00 0
#define _01 1
#define _10 2
#define _11 3

#define IS_NULL(m) ((m).internal == NULL)
static const Matrix NOTHING = {NULL};

static Matrix new_internal(Matrix a00, Matrix a01, Matrix a10, Matrix a11) {
  Matrix m;
  m.internal = (struct InternalNode*)malloc(sizeof(struct InternalNode));
  m.internal->child[_00] = a00;
  m.internal->child[_01] = a01;
  m.internal->child[_10] = a10;
  m.internal->child[_11] = a11;
  return m;
}

static Matrix new_block_leaf(void) {
  Matrix m;
  m.leaf = (struct LeafNode*)calloc(1, sizeof(struct LeafNode));
  return m;
}

void free_matrix(int depth, Matrix a) {
  int i;
  if (IS_NULL(a)) return;
  if (depth == BLOCK_DEPTH) {
    free(a.leaf);
    return;
  }
  for (i = 0; i < 4; i++) cilk_spawn free_matrix(depth - 1, a.internal->child[i]);
  cilk_sync;
  free(a.internal);
}

static Matrix copy_matrix(int depth, Matrix a) {
  Matrix r = NOTHING;
  int i;
  if (IS_NULL(a)) return r;
  if (depth == BLOCK_DEPTH) {
    r = new_block_leaf();
    memcpy(r.leaf->block, a.leaf->block, sizeof(Block));
    return r;
  }
  r = new_internal(NOTHING, NOTHING, NOTHING, NOTHING);
  for (i = 0; i < 4; i++)
    r.internal->child[i] = cilk_spawn copy_matrix(depth - 1, a.internal->child[i]);
  return r;
}

static Real get_matrix(int depth, Matrix a, int r, int c) {
  while (!IS_NULL(a) && depth > BLOCK_DEPTH) {
    int mid = 1 << --depth;
    a = a.internal->child[(r >= mid ? 2 : 0) + (c >= mid ? 1 : 0)];
    r &= mid - 1;
    c &= mid - 1;
  }
  return IS_NULL(a) ? 0.0 : a.leaf->block[r][c];
}

Matrix set_matrix(int depth, Matrix a, int r, int c, Real value) {
  if (depth == BLOCK_DEPTH) {
    if (IS_NULL(a)) a = new_block_leaf();
    a.leaf->block[r][c] = value;
  } else {
    int mid = 1 << (depth - 1);
    Matrix* q;
    if (IS_NULL(a)) a = new_internal(NOTHING, NOTHING, NOTHING, NOTHING);
    q = &a.internal->child[(r >= mid ? 2 : 0) + (c >= mid ? 1 : 0)];
    *q = set_matrix(depth - 1, *q, r & (mid - 1), c & (mid - 1), value);
  }
  return a;
}

static void block_cholesky(Block B) {
  int i, j, k;
  for (k = 0; k < BLOCK_SIZE; k++) {
    Real x;
    if (B[k][k] < 0.0) {
      fprintf(stderr, "cholesky: the matrix is not positive definite\n");
      exit(1);
    }
    x = sqrt(B[k][k]);
    for (i = k; i < BLOCK_SIZE; i++) B[i][k] /= x;
    for (j = k + 1; j < BLOCK_SIZE; j++)
      for (i = j; i < BLOCK_SIZE; i++) B[i][j] -= B[i][k] * B[j][k];
  }
}

/* Solves X * U^T = B for X, to B. */
static void block_backsub(Block B, Block U) {
  int i, j, k;
  for (i = 0; i < BLOCK_SIZE; i++)
    for (j = 0; j < BLOCK_SIZE; j++) {
      for (k = 0; k < j; k++) B[i][j] -= U[j][k] * B[i][k];
      B[i][j] /= U[j][j];
    }
}

/* C -= A * B^T; of the lower half only, where C lies on the diagonal. */
static void block_schur_full(Block B, Block A, Block C) {
  int i, j, k;
  for (i = 0; i < BLOCK_SIZE; i++)
    for (j = 0; j < BLOCK_SIZE; j++)
      for (k = 0; k < BLOCK_SIZE; k++) C[i][j] -= A[i][k] * B[j][k];
}
static void block_schur_half(Block B, Block A, Block C) {
  int i, j, k;
  for (i = 0; i < BLOCK_SIZE; i++)
    for (j = 0; j <= i; j++)
      for (k = 0; k < BLOCK_SIZE; k++) C[i][j] -= A[i][k] * B[j][k];
}

/* r - a * b^T; lower: only the lower half is wanted, and a and b are the same. */
Matrix mul_and_subT(int depth, int lower, Matrix a, Matrix b, Matrix r) {
  Matrix r00, r01, r10, r11;
  struct InternalNode *ai, *bi;

  if (IS_NULL(a) || IS_NULL(b)) return r;
  if (depth == BLOCK_DEPTH) {
    if (IS_NULL(r)) r = new_block_leaf();
    if (lower)
      block_schur_half(b.leaf->block, a.leaf->block, r.leaf->block);
    else
      block_schur_full(b.leaf->block, a.leaf->block, r.leaf->block);
    return r;
  }
  depth--;
  ai = a.internal;
  bi = b.internal;
  if (IS_NULL(r)) r = new_internal(NOTHING, NOTHING, NOTHING, NOTHING);
  r00 = r.internal->child[_00];
  r01 = r.internal->child[_01];
  r10 = r.internal->child[_10];
  r11 = r.internal->child[_11];

  r00 = cilk_spawn mul_and_subT(depth, lower, ai->child[_00], bi->child[_00], r00);
  if (!lower) r01 = cilk_spawn mul_and_subT(depth, 0, ai->child[_00], bi->child[_10], r01);
  r10 = cilk_spawn mul_and_subT(depth, 0, ai->child[_10], bi->child[_00], r10);
  r11 = cilk_spawn mul_and_subT(depth, lower, ai->child[_10], bi->child[_10], r11);
  cilk_sync;
  r00 = cilk_spawn mul_and_subT(depth, lower, ai->child[_01], bi->child[_01], r00);
  if (!lower) r01 = cilk_spawn mul_and_subT(depth, 0, ai->child[_01], bi->child[_11], r01);
  r10 = cilk_spawn mul_and_subT(depth, 0, ai->child[_11], bi->child[_01], r10);
  r11 = cilk_spawn mul_and_subT(depth, lower, ai->child[_11], bi->child[_11], r11);
  cilk_sync;

  r.internal->child[_00] = r00;
  r.internal->child[_01] = r01;
  r.internal->child[_10] = r10;
  r.internal->child[_11] = r11;
  return r;
}

/* a * l^-T, in a's memory. */
Matrix backsub(int depth, Matrix a, Matrix l) {
  Matrix a00, a01, a10, a11;
  struct InternalNode* li;

  if (IS_NULL(a)) return a;
  if (depth == BLOCK_DEPTH) {
    block_backsub(a.leaf->block, l.leaf->block);
    return a;
  }
  depth--;
  a00 = a.internal->child[_00];
  a01 = a.internal->child[_01];
  a10 = a.internal->child[_10];
  a11 = a.internal->child[_11];
  li = l.internal;

  a00 = cilk_spawn backsub(depth, a00, li->child[_00]);
  a10 = cilk_spawn backsub(depth, a10, li->child[_00]);
  cilk_sync;
  a01 = cilk_spawn mul_and_subT(depth, 0, a00, li->child[_10], a01);
  a11 = cilk_spawn mul_and_subT(depth, 0, a10, li->child[_10], a11);
  cilk_sync;
  a01 = cilk_spawn backsub(depth, a01, li->child[_11]);
  a11 = cilk_spawn backsub(depth, a11, li->child[_11]);
  cilk_sync;

  a.internal->child[_00] = a00;
  a.internal->child[_01] = a01;
  a.internal->child[_10] = a10;
  a.internal->child[_11] = a11;
  return a;
}

Matrix cholesky(int depth, Matrix a) {
  Matrix a00, a10, a11;

  if (IS_NULL(a)) return a;
  if (depth == BLOCK_DEPTH) {
    block_cholesky(a.leaf->block);
    return a;
  }
  depth--;
  a00 = a.internal->child[_00];
  a10 = a.internal->child[_10];
  a11 = a.internal->child[_11];

  if (IS_NULL(a10)) {
    a00 = cilk_spawn cholesky(depth, a00);
    a11 = cholesky(depth, a11);
    cilk_sync;
  } else {
    a00 = cilk_spawn cholesky(depth, a00);
    cilk_sync;
    a10 = cilk_spawn backsub(depth, a10, a00);
    cilk_sync;
    a11 = cilk_spawn mul_and_subT(depth, 1, a10, a10, a11);
    cilk_sync;
    a11 = cilk_spawn cholesky(depth, a11);
    cilk_sync;
  }
  a.internal->child[_00] = a00;
  a.internal->child[_10] = a10;
  a.internal->child[_11] = a11;
  return a;
}

long count_blocks(int depth, Matrix a) {
  long b00, b01, b10;
  if (IS_NULL(a)) return 0;
  if (depth == BLOCK_DEPTH) return 1;
  b00 = cilk_spawn count_blocks(depth - 1, a.internal->child[_00]);
  b01 = cilk_spawn count_blocks(depth - 1, a.internal->child[_01]);
  b10 = cilk_spawn count_blocks(depth - 1, a.internal->child[_10]);
  cilk_sync;
  return b00 + b01 + b10 + count_blocks(depth - 1, a.internal->child[_11]);
}

static unsigned long rand_nxt;
static int my_rand(void) {
  rand_nxt = rand_nxt * 1103515245 + 12345;
  return (int)(rand_nxt >> 8 & 0x3fffffff);
}

/* A diagonal and random places below it. */
Matrix make_matrix(int depth, int size, int nonzeros) {
  Matrix a = NOTHING;
  int i;
  rand_nxt = 1;
  for (i = 0; i < size; i++) a = set_matrix(depth, a, i, i, 1.0 + nonzeros);
  /* The rest of the last diagonal blocks, which a factor needs as well. */
  for (i = size; i < 1 << depth; i++) a = set_matrix(depth, a, i, i, 1.0);
  for (i = 0; i < nonzeros; i++) {
    int r, c;
    do {
      r = my_rand() % size;
      c = my_rand() % size;
    } while (r <= c);
    a = set_matrix(depth, a, r, c, 0.1 + (my_rand() % 100) / 100.0);
  }
  return a;
}

int depth_of(int size) {
  int depth = BLOCK_DEPTH;
  while (1 << depth < size) depth++;
  return depth;
}

/* |A - L * L^T| at every element of some rows, and a sum over L. */
int report(int depth, int size, int nonzeros, Matrix a, Matrix l) {
  double worst = 0.0, sum = 0.0;
  int r, c, k, step = size > 64 ? size / 8 - 1 : 1;
  for (r = 0; r < size; r += step) {
    Real* row = (Real*)malloc(size * sizeof(Real));
    for (k = 0; k < size; k++) row[k] = k <= r ? get_matrix(depth, l, r, k) : 0.0;
    for (c = 0; c <= r; c++) {
      Real v = 0.0;
      for (k = 0; k <= c; k++)
        if (row[k] != 0.0) v += row[k] * get_matrix(depth, l, c, k);
      v = fabs(v - get_matrix(depth, a, r, c));
      if (v > worst) worst = v;
    }
    for (k = 0; k < size; k++) sum += row[k];
    free(row);
  }
  printf("cholesky %d, %d nonzeros below the diagonal: %ld blocks became %ld, checksum %.6f, %s\n",
         size, nonzeros, count_blocks(depth, a), count_blocks(depth, l), sum,
         worst < 1e-8 * size ? "L * L^T = A" : "WRONG");
  return worst < 1e-8 * size;
}

int main(int argc, char* argv[]) {
  int size = 128, nonzeros = 200, depth, i, good;
  Matrix a, l;

  argc = timing_option(argc, argv);
  for (i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "-n") == 0) size = atoi(argv[i + 1]);
    if (strcmp(argv[i], "-z") == 0) nonzeros = atoi(argv[i + 1]);
  }
  if (size < 2) {
    fprintf(stderr, "Usage: cholesky [-t] [-n size] [-z nonzeros]\n");
    return 1;
  }
  depth = depth_of(size);
  a = make_matrix(depth, size, nonzeros);
  l = copy_matrix(depth, a);

  timing_begin();
  l = cholesky(depth, l);
  timing_end();

  good = report(depth, size, nonzeros, a, l);
  free_matrix(depth, a);
  free_matrix(depth, l);
  return good ? 0 : 1;
}
