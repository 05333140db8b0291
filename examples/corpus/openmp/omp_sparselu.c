/* LU factorisation of a sparse matrix of blocks; blocks appear as they are filled.
 *
 * omp_sparselu [-t] [blocks] [size of a block] */
#include "../timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float* new_block(int size) {
  float* made = malloc(size * size * sizeof(float));
  for (int i = 0; i < size * size; i++) made[i] = 0.0f;
  return made;
}

static void generate(float** all, int blocks, int size) {
  int value = 1325;
  for (int i = 0; i < blocks; i++) {
    for (int k = 0; k < blocks; k++) {
      int none = (i < k && i % 3 != 0) || (i > k && k % 3 != 0) || (i % 2 == 1 && k % 2 == 1);
      if (i == k || i == k - 1 || i - 1 == k) none = 0;
      if (none) {
        all[i * blocks + k] = NULL;
        continue;
      }
      float* made = new_block(size);
      for (int at = 0; at < size * size; at++) {
        value = 3125 * value % 65536;
        made[at] = (float)(value - 32768) / 16384.0f;
        if (i == k && at % (size + 1) == 0) made[at] += 4.0f * (float)(size * blocks);
      }
      all[i * blocks + k] = made;
    }
  }
}

static void lu0(float* diagonal, int size) {
  for (int k = 0; k < size; k++) {
    for (int i = k + 1; i < size; i++) {
      diagonal[i * size + k] /= diagonal[k * size + k];
      for (int j = k + 1; j < size; j++)
        diagonal[i * size + j] -= diagonal[i * size + k] * diagonal[k * size + j];
    }
  }
}

static void forward(const float* diagonal, float* column, int size) {
  for (int j = 0; j < size; j++)
    for (int k = 0; k < size; k++)
      for (int i = k + 1; i < size; i++)
        column[i * size + j] -= diagonal[i * size + k] * column[k * size + j];
}

static void divide(const float* diagonal, float* row, int size) {
  for (int i = 0; i < size; i++) {
    for (int k = 0; k < size; k++) {
      row[i * size + k] /= diagonal[k * size + k];
      for (int j = k + 1; j < size; j++)
        row[i * size + j] -= row[i * size + k] * diagonal[k * size + j];
    }
  }
}

static void modify(const float* row, const float* column, float* inner, int size) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      for (int k = 0; k < size; k++)
        inner[i * size + j] -= row[i * size + k] * column[k * size + j];
}

static void sparselu(float** all, int blocks, int size) {
  for (int k = 0; k < blocks; k++) {
    lu0(all[k * blocks + k], size);
    for (int j = k + 1; j < blocks; j++) {
      if (all[k * blocks + j] != NULL) {
#pragma omp task untied firstprivate(k, j) shared(all)
        forward(all[k * blocks + k], all[k * blocks + j], size);
      }
    }
    for (int i = k + 1; i < blocks; i++) {
      if (all[i * blocks + k] != NULL)
#pragma omp task untied firstprivate(k, i) shared(all)
        divide(all[k * blocks + k], all[i * blocks + k], size);
    }
#pragma omp taskwait
    for (int i = k + 1; i < blocks; i++) {
      if (all[i * blocks + k] == NULL) continue;
      for (int j = k + 1; j < blocks; j++) {
        if (all[k * blocks + j] == NULL) continue;
#pragma omp task untied firstprivate(k, i, j) shared(all)
        {
          if (all[i * blocks + j] == NULL) all[i * blocks + j] = new_block(size);
          modify(all[i * blocks + k], all[k * blocks + j], all[i * blocks + j], size);
        }
      }
    }
#pragma omp taskwait
  }
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  int blocks = argc > 1 ? atoi(argv[1]) : 6;
  int size = argc > 2 ? atoi(argv[2]) : 6;
  float** all = malloc(blocks * blocks * sizeof(float*));
  int filled = 0;
  double sum = 0;
  generate(all, blocks, size);
  timing_begin();
#pragma omp parallel
#pragma omp single nowait
  sparselu(all, blocks, size);
  timing_end();
  for (int i = 0; i < blocks * blocks; i++) {
    if (all[i] == NULL) continue;
    filled++;
    for (int k = 0; k < size * size; k++) sum += fabs((double)all[i][k]);
    free(all[i]);
  }
  printf("omp_sparselu %d of %d: %d blocks, sum %.4g\n", blocks, size, filled, sum);
  free(all);
  return 0;
}
