/* Clusters of points with whole coordinates: threads that share loops, add up in arrays of their
 * own, and go round together until no point changes its cluster.
 *
 * omp_kmeans [-t] [points] [clusters] */
#include "../timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { dimensions = 3, most_clusters = 32, most_rounds = 60 };

struct sums {
  long of[most_clusters][dimensions];
  long members[most_clusters];
};

static int (*points)[dimensions];
static int* cluster_of;
static int centres[most_clusters][dimensions];

static long distance(const int* a, const int* b) {
  long sum = 0;
  for (int k = 0; k < dimensions; k++) sum += (long)(a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

static int nearest(const int* point, int clusters) {
  int best = 0;
  for (int c = 1; c < clusters; c++) {
    if (distance(point, centres[c]) < distance(point, centres[best])) best = c;
  }
  return best;
}

/* Returns the number of rounds. */
static int cluster(int count, int clusters) {
  struct sums all;
  int changed = 1, rounds = 0;
#pragma omp parallel shared(all, changed, rounds)
  {
    struct sums own;
    int round;
    for (round = 0; round < most_rounds && changed != 0; round++) {
      memset(&own, 0, sizeof own);
#pragma omp barrier
#pragma omp single
      {
        memset(&all, 0, sizeof all);
        changed = 0;
        rounds++;
      }
#pragma omp for schedule(static) reduction(+ : changed)
      for (int i = 0; i < count; i++) {
        int best = nearest(points[i], clusters);
        if (best != cluster_of[i]) changed++;
        cluster_of[i] = best;
        own.members[best]++;
        for (int k = 0; k < dimensions; k++) own.of[best][k] += points[i][k];
      }
#pragma omp critical(sums)
      for (int c = 0; c < clusters; c++) {
        all.members[c] += own.members[c];
        for (int k = 0; k < dimensions; k++) all.of[c][k] += own.of[c][k];
      }
#pragma omp barrier
#pragma omp for collapse(2)
      for (int c = 0; c < clusters; c++) {
        for (int k = 0; k < dimensions; k++) {
          if (all.members[c] > 0) centres[c][k] = (int)(all.of[c][k] / all.members[c]);
        }
      }
    }
  }
  return rounds;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  int count = argc > 1 ? atoi(argv[1]) : 400;
  int clusters = argc > 2 ? atoi(argv[2]) : 5;
  unsigned random = 5;
  long spread = 0, largest = 0;
  long sizes[most_clusters] = {0};
  if (clusters > most_clusters || count < clusters) return 1;
  points = (int(*)[dimensions])malloc((size_t)count * sizeof *points);
  cluster_of = (int*)malloc((size_t)count * sizeof *cluster_of);
  for (int i = 0; i < count; i++) {
    cluster_of[i] = -1;
    for (int k = 0; k < dimensions; k++) {
      random = random * 1664525u + 1013904223u;
      points[i][k] = (int)(random >> 20) + (i % clusters) * 2500;
    }
  }
  for (int c = 0; c < clusters; c++) memcpy(centres[c], points[c], sizeof centres[c]);
  timing_begin();
  int rounds = cluster(count, clusters);
  timing_end();
#pragma omp parallel for reduction(+ : spread, sizes[ : clusters])
  for (int i = 0; i < count; i++) {
    spread += distance(points[i], centres[cluster_of[i]]);
    sizes[cluster_of[i]]++;
  }
#pragma omp parallel for reduction(max : largest)
  for (int c = 0; c < clusters; c++) {
    if (sizes[c] > largest) largest = sizes[c];
  }
  printf("omp_kmeans %d in %d: %d rounds, spread %ld, largest %ld\n", count, clusters, rounds,
         spread, largest);
  free(points);
  free(cluster_of);
  return 0;
}
