/* Scores of the best global alignments of all pairs of sequences, in two rows of memory each.
 *
 * omp_alignment [-t] [sequences] [length] */
#include "../timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { most_sequences = 200, longest = 256, gap = 3 };

static char sequences[most_sequences][longest];
static int lengths[most_sequences];
static int scores[most_sequences][most_sequences];

static int similar(char a, char b) {
  if (a == b) return 5;
  return (a ^ b) & 2 ? -4 : 1;
}

static int align(int first, int second) {
  int row[longest + 1];
  int n = lengths[first], m = lengths[second];
  for (int k = 0; k <= m; k++) row[k] = -gap * k;
  for (int i = 1; i <= n; i++) {
    int corner = row[0];
    row[0] = -gap * i;
    for (int k = 1; k <= m; k++) {
      int best = corner + similar(sequences[first][i - 1], sequences[second][k - 1]);
      corner = row[k];
      if (row[k] - gap > best) best = row[k] - gap;
      if (row[k - 1] - gap > best) best = row[k - 1] - gap;
      row[k] = best;
    }
  }
  return row[m];
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  int n = argc > 1 ? atoi(argv[1]) : 12;
  int length = argc > 2 ? atoi(argv[2]) : 40;
  unsigned random = 7;
  long sum = 0;
  int best = -1000000, i, k;
  if (n > most_sequences || length > longest || length < 8) return 1;
  for (i = 0; i < n; i++) {
    random = random * 1664525u + 1013904223u;
    lengths[i] = length - (int)(random >> 16) % (length / 4);
    for (k = 0; k < lengths[i]; k++) {
      random = random * 1664525u + 1013904223u;
      sequences[i][k] = (char)('A' + (random >> 24) % 4);
    }
  }
  timing_begin();
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) private(i, k)
    for (i = 0; i < n; i++) {
      for (k = i + 1; k < n; k++) {
#pragma omp task untied firstprivate(i, k) shared(scores)
        scores[i][k] = align(i, k);
      }
    }
  }
  timing_end();
#pragma omp parallel for private(k) reduction(+ : sum) reduction(max : best)
  for (i = 0; i < n; i++) {
    for (k = i + 1; k < n; k++) {
      sum += scores[i][k];
      if (scores[i][k] > best) best = scores[i][k];
    }
  }
  printf("omp_alignment %d: sum of scores %ld, best %d\n", n, sum, best);
  return 0;
}
