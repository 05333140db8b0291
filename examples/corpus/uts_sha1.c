/* Unbalanced tree search as its authors define it (Olivier, Huan, Liu, Prins, Dinan, Sadayappan and
 * Tseng, "UTS: An Unbalanced Tree Search Benchmark", LCPC 2006): a node is a SHA-1 hash of its
 * parent and its number among the children, which says how many children it has itself. The sizes
 * of the authors' trees are published: T1, T1L, T3, T3L. The small ones are T1 with fewer levels
 * and T3 with fewer children of the root. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

enum shape { GEOMETRIC, BINOMIAL };

/* A geometric tree's nodes have `children` children on average, down to `levels`; a binomial tree's
 * root has `root_children`, and any other node `children` with the probability `more`, or none. */
struct parameters {
  const char* name;
  enum shape shape;
  int seed, levels, root_children, children;
  double more;
  unsigned long long nodes, leaves;
  int height;
};

static const struct parameters trees[] = {
    {"T1_small", GEOMETRIC, 19, 7, 0, 4, 0, 63914, 51124, 7},
    {"T1", GEOMETRIC, 19, 10, 0, 4, 0, 4130071, 3305118, 10},
    {"T1L", GEOMETRIC, 29, 13, 0, 4, 0, 102181082, 81746377, 13},
    {"T3_small", BINOMIAL, 42, 0, 20, 8, 0.124875, 6213, 5438, 67},
    {"T3", BINOMIAL, 42, 0, 2000, 8, 0.124875, 4112897, 3599034, 1572},
    {"T3L", BINOMIAL, 7, 0, 2000, 5, 0.200014, 111345631, 89076904, 17844},
};

static struct parameters tree;

/* SHA-1 of a message that fits one block: a node. */
struct node {
  uint32_t word[5];
};

static inline uint32_t rotated(uint32_t x, int by) { return x << by | x >> (32 - by); }

/* One of eighty rounds. */
#define ROUND(mixed, constant)                                 \
  {                                                            \
    next = rotated(a, 5) + (mixed) + e + w[i & 15] + constant; \
    e = d;                                                     \
    d = c;                                                     \
    c = rotated(b, 30);                                        \
    b = a;                                                     \
    a = next;                                                  \
  }
/* The schedule takes the message's place, word by word. */
#define SCHEDULE() \
  w[i & 15] = rotated(w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^ w[i & 15], 1)

/* Of the 16 words of `w`, which it changes. */
static struct node sha1(uint32_t* w) {
  static const uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  uint32_t a = start[0], b = start[1], c = start[2], d = start[3], e = start[4], next;
  struct node hash;
  int i;
  for (i = 0; i < 16; i++) ROUND((b & c) | (~b & d), 0x5a827999u);
  for (; i < 20; i++) {
    SCHEDULE();
    ROUND((b & c) | (~b & d), 0x5a827999u);
  }
  for (; i < 40; i++) {
    SCHEDULE();
    ROUND(b ^ c ^ d, 0x6ed9eba1u);
  }
  for (; i < 60; i++) {
    SCHEDULE();
    ROUND((b & c) | (b & d) | (c & d), 0x8f1bbcdcu);
  }
  for (; i < 80; i++) {
    SCHEDULE();
    ROUND(b ^ c ^ d, 0xca62c1d6u);
  }
  hash.word[0] = start[0] + a;
  hash.word[1] = start[1] + b;
  hash.word[2] = start[2] + c;
  hash.word[3] = start[3] + d;
  hash.word[4] = start[4] + e;
  return hash;
}

/* The root: 16 zero bytes and the seed. */
static struct node root_of(int seed) {
  uint32_t w[16] = {0, 0, 0, 0, (uint32_t)seed, 0x80000000u};
  w[15] = 20 * 8;
  return sha1(w);
}

/* The i-th child: its parent's hash and its number. */
static struct node child_of(struct node parent, int i) {
  uint32_t w[16] = {parent.word[0], parent.word[1], parent.word[2], parent.word[3],
                    parent.word[4], (uint32_t)i,    0x80000000u};
  w[15] = 24 * 8;
  return sha1(w);
}

static int children_of(struct node n, int depth) {
  /* 31 bits of the hash, from 0 up to 1. */
  double chance = (double)(n.word[4] & 0x7fffffffu) / 2147483648.0;
  int most = 100, count;
  if (tree.shape == BINOMIAL)
    return depth == 0 ? tree.root_children : chance < tree.more ? tree.children : 0;
  if (depth >= tree.levels) return 0;
  count = (int)floor(log(1 - chance) / log(1 - 1 / (1 + (double)tree.children)));
  return count < most ? count : most;
}

struct counts {
  uint64_t nodes, leaves;
  int height;
};

static void add_to(struct counts* sum, const struct counts* below) {
  sum->nodes += below->nodes;
  sum->leaves += below->leaves;
  if (below->height > sum->height) sum->height = below->height;
}

struct counts search(struct node n, int depth) {
  int children = children_of(n, depth);
  struct counts sum = {1, children == 0, depth};

  if (children > 0) {
    struct counts below[children];
    for (int i = 0; i < children; i++) below[i] = cilk_spawn search(child_of(n, i), depth + 1);
    cilk_sync;
    for (int i = 0; i < children; i++) add_to(&sum, &below[i]);
  }
  return sum;
}

static int choose_tree(const char* name) {
  size_t i;
  for (i = 0; i < sizeof trees / sizeof trees[0]; i++)
    if (strcmp(trees[i].name, name) == 0) {
      tree = trees[i];
      return 1;
    }
  return 0;
}

int main(int argc, char** argv) {
  struct counts all;
  int good;

  argc = timing_option(argc, argv);
  if (!choose_tree(argc > 1 ? argv[1] : "T1_small")) {
    fprintf(stderr, "Usage: uts_sha1 [-t] [T1_small | T1 | T1L | T3_small | T3 | T3L]\n");
    return 1;
  }
  timing_begin();
  all = search(root_of(tree.seed), 0);
  timing_end();
  good = all.nodes == tree.nodes && all.leaves == tree.leaves && all.height == tree.height;
  printf("uts_sha1 %s: %llu nodes, %llu leaves, height %d, %s\n", tree.name,
         (unsigned long long)all.nodes, (unsigned long long)all.leaves, all.height,
         good ? "right" : "WRONG");
  return good ? 0 : 1;
}
