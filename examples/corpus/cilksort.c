/* Mergesort in four parts with a parallel merge; small parts are sorted by quicksort, and the
 * smallest by insertion. On a GPU the lanes of a wavefront sort such a part together, and merge
 * two, in another way. */
#include <channels/group.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

typedef long ELM;

#define KILO 1024
#define MERGESIZE (2 * KILO)
#define QUICKSIZE (2 * KILO)
#define INSERTIONSIZE 20

#define swap(a, b) \
  do {             \
    ELM tmp_;      \
    tmp_ = a;      \
    a = b;         \
    b = tmp_;      \
  } while (0)
#define swap_indices(a, b) \
  do {                     \
    ELM* tmp_;             \
    tmp_ = a;              \
    a = b;                 \
    b = tmp_;              \
  } while (0)

static unsigned long rand_nxt = 0;

static inline unsigned long my_rand(void) {
  rand_nxt = rand_nxt * 1103515245 + 12345;
  return rand_nxt >> 8;
}

static inline ELM med3(ELM a, ELM b, ELM c) {
  if (a < b) return b < c ? b : (a < c ? c : a);
  return b > c ? b : (a > c ? c : a);
}

static void insertion_sort(ELM* low, ELM* high) {
  ELM *p, *q;
  ELM a, b;

  for (q = low + 1; q <= high; ++q) {
    a = q[0];
    for (p = q - 1; p >= low && (b = p[0]) > a; p--) p[1] = b;
    p[1] = a;
  }
}

/* Splits [low, high] around a pivot; what is left of the result, with it, is no larger than what is
 * right of it. */
static ELM* partition(ELM* low, ELM* high) {
  ELM pivot = med3(*low, low[(high - low) / 2], *high);
  ELM* left = low - 1;
  ELM* right = high + 1;

  for (;;) {
    do left++;
    while (*left < pivot);
    do right--;
    while (*right > pivot);
    if (left >= right) return right;
    swap(*left, *right);
  }
}

void seqquick(ELM* low, ELM* high) {
  while (high - low >= INSERTIONSIZE) {
    ELM* p = partition(low, high);
    seqquick(low, p);
    low = p + 1;
  }
  insertion_sort(low, high);
}

/* How many of `size` sorted elements come before val, or before or together with it. */
static inline long count_below(const ELM* of, long size, ELM val, int with_equal) {
  long low = 0;
  while (low < size) {
    long mid = (low + size) / 2;
    if (of[mid] < val || (with_equal && of[mid] == val))
      low = mid + 1;
    else
      size = mid;
  }
  return low;
}

CHANNELS_FOR_GROUP static void sort_by_group(ELM* low, ELM* tmp, long size) {
  ELM *from = low, *to = tmp, *merged;
  long run, i;
  for (run = 1; run < size; run *= 2) {
    /* All runs of a pass at once. */
    for (i = channels_lane(); i < size; i += channels_lanes()) {
      long first = i / (2 * run) * (2 * run), middle = first + run, last = middle + run;
      if (middle > size) middle = size;
      if (last > size) last = size;
      if (i < middle)
        to[i + count_below(from + middle, last - middle, from[i], 0)] = from[i];
      else
        to[i - (middle - first) + count_below(from + first, middle - first, from[i], 1)] = from[i];
    }
    channels_sync_lanes();
    merged = to;
    to = from;
    from = merged;
  }
  if (from == low) return;
  for (i = channels_lane(); i < size; i += channels_lanes()) low[i] = tmp[i];
}

CHANNELS_GROUP_LEAF(sort_by_group)
void seqsort(ELM* low, ELM* tmp, long size) {
  (void)tmp;
  seqquick(low, low + size - 1);
}

/* Each lane looks for the places of its elements: those of the other range that come before. */
CHANNELS_FOR_GROUP static void merge_by_group(ELM* low1, ELM* high1, ELM* low2, ELM* high2,
                                              ELM* dest) {
  long size1 = high1 - low1 + 1, size2 = high2 - low2 + 1, i;
  for (i = channels_lane(); i < size1; i += channels_lanes())
    dest[i + count_below(low2, size2, low1[i], 0)] = low1[i];
  for (i = channels_lane(); i < size2; i += channels_lanes())
    dest[i + count_below(low1, size1, low2[i], 1)] = low2[i];
}

CHANNELS_GROUP_LEAF(merge_by_group)
void seqmerge(ELM* low1, ELM* high1, ELM* low2, ELM* high2, ELM* dest) {
  while (low1 <= high1 && low2 <= high2) {
    ELM a = *low1, b = *low2;
    if (a <= b) {
      *dest++ = a;
      low1++;
    } else {
      *dest++ = b;
      low2++;
    }
  }
  if (low1 <= high1)
    memcpy(dest, low1, sizeof(ELM) * (high1 - low1 + 1));
  else
    memcpy(dest, low2, sizeof(ELM) * (high2 - low2 + 1));
}

/* The last place in [low, high] that holds at most val, or low - 1. */
ELM* binsplit(ELM val, ELM* low, ELM* high) {
  while (low != high) {
    ELM* mid = low + ((high - low + 1) >> 1);
    if (val <= *mid)
      high = mid - 1;
    else
      low = mid;
  }
  return *low > val ? low - 1 : low;
}

/* Merges [low1, high1] and [low2, high2] to lowdest: the longer is split in the middle, the other
 * where that value belongs, and both halves are merged at once. */
void cilkmerge(ELM* low1, ELM* high1, ELM* low2, ELM* high2, ELM* lowdest) {
  ELM *split1, *split2;
  long lowsize;

  if (high2 - low2 > high1 - low1) {
    swap_indices(low1, low2);
    swap_indices(high1, high2);
  }
  if (high1 < low1) {
    memcpy(lowdest, low2, sizeof(ELM) * (high2 - low2 + 1));
    return;
  }
  if (high2 - low2 < MERGESIZE) {
    cilk_spawn seqmerge(low1, high1, low2, high2, lowdest);
    return;
  }
  split1 = ((high1 - low1 + 1) / 2) + low1;
  split2 = binsplit(*split1, low2, high2);
  lowsize = split1 - low1 + split2 - low2;

  *(lowdest + lowsize + 1) = *split1;
  cilk_spawn cilkmerge(low1, split1 - 1, low2, split2, lowdest);
  cilk_spawn cilkmerge(split1 + 1, high1, split2 + 1, high2, lowdest + lowsize + 2);
  cilk_sync;
  return;
}

void cilksort(ELM* low, ELM* tmp, long size) {
  long quarter = size / 4;
  ELM *A, *B, *C, *D, *tmpA, *tmpB, *tmpC, *tmpD;

  if (size < QUICKSIZE) {
    cilk_spawn seqsort(low, tmp, size);
    return;
  }
  A = low;
  tmpA = tmp;
  B = A + quarter;
  tmpB = tmpA + quarter;
  C = B + quarter;
  tmpC = tmpB + quarter;
  D = C + quarter;
  tmpD = tmpC + quarter;

  cilk_spawn cilksort(A, tmpA, quarter);
  cilk_spawn cilksort(B, tmpB, quarter);
  cilk_spawn cilksort(C, tmpC, quarter);
  cilk_spawn cilksort(D, tmpD, size - 3 * quarter);
  cilk_sync;

  cilk_spawn cilkmerge(A, A + quarter - 1, B, B + quarter - 1, tmpA);
  cilk_spawn cilkmerge(C, C + quarter - 1, D, low + size - 1, tmpC);
  cilk_sync;

  cilk_spawn cilkmerge(tmpA, tmpC - 1, tmpC, tmpA + size - 1, A);
  cilk_sync;
}

static void scramble_array(ELM* arr, unsigned long size) {
  unsigned long i, j;
  for (i = 0; i < size; ++i) {
    j = my_rand() % size;
    swap(arr[i], arr[j]);
  }
}

void fill_array(ELM* arr, unsigned long size) {
  unsigned long i;
  rand_nxt = 1;
  for (i = 0; i < size; ++i) arr[i] = (ELM)i;
  scramble_array(arr, size);
}

int check_array(const ELM* arr, long size) {
  long i;
  int success = 1;
  for (i = 0; i < size; ++i)
    if (arr[i] != i) success = 0;
  printf("cilksort of %ld longs: %s\n", size, success ? "sorted" : "WRONG");
  return success;
}

int main(int argc, char** argv) {
  long size = 30000;
  ELM *array, *tmp;
  int i, success;

  argc = timing_option(argc, argv);
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) {
      size = atol(argv[++i]);
    } else {
      fprintf(stderr, "Usage: cilksort [-t] [-n size]\n");
      return 1;
    }
  }
  if (size < 1) size = 1;

  array = (ELM*)malloc(size * sizeof(ELM));
  tmp = (ELM*)malloc(size * sizeof(ELM));
  fill_array(array, size);

  timing_begin();
  cilksort(array, tmp, size);
  timing_end();

  success = check_array(array, size);
  free(array);
  free(tmp);
  return success ? 0 : 1;
}
