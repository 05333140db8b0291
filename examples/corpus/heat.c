/* Heat diffusion on a rectangle, by Jacobi steps on two grids: the columns are halved until a strip
 * is narrow, and each function returns the number of strips below it. The boundary is given by
 * macros of x, y and t, and so is the solution. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

static int nx = 128, ny = 128, nt = 20;
static double xu = 0.0, xo = 1.570796326794896558;
static double yu = 0.0, yo = 1.570796326794896558;
static double tu = 0.0, to = 0.00005;
static double dx, dy, dt;
static double dtdxsq, dtdysq;
static int leafmaxcol = 10;

#define f(x, y) (sin(x) * sin(y))
#define randa(x, t) (0.0)
#define randb(x, t) (exp(-2 * (t)) * sin(x))
#define randc(y, t) (0.0)
#define randd(y, t) (exp(-2 * (t)) * sin(y))
#define solu(x, y, t) (exp(-2 * (t)) * sin(x) * sin(y))

int allcgrid(double** new_, double** old, int lb, int ub) {
  int j, rv, lv;

  if (ub - lb > leafmaxcol) {
    int m = (ub + lb) / 2;
    rv = cilk_spawn allcgrid(new_, old, lb, m);
    lv = cilk_spawn allcgrid(new_, old, m, ub);
    cilk_sync;
    return rv + lv;
  }
  for (j = lb; j < ub; j++) {
    new_[j] = (double*)malloc(ny * sizeof(double));
    old[j] = (double*)malloc(ny * sizeof(double));
  }
  return 1;
}

int initgrid(double** old, int lb, int ub) {
  int a, b, l = 0, r = 0;

  if (ub - lb > leafmaxcol) {
    int m = (lb + ub) / 2;
    l = cilk_spawn initgrid(old, lb, m);
    r = cilk_spawn initgrid(old, m, ub);
    cilk_sync;
    return l + r;
  }
  for (a = lb; a < ub; a++) {
    double x = xu + a * dx;
    if (a == 0) {
      for (b = 0; b < ny; b++) old[a][b] = randc(yu + b * dy, 0);
    } else if (a == nx - 1) {
      for (b = 0; b < ny; b++) old[a][b] = randd(yu + b * dy, 0);
    } else {
      old[a][0] = randa(x, 0);
      for (b = 1; b < ny - 1; b++) old[a][b] = f(x, yu + b * dy);
      old[a][ny - 1] = randb(x, 0);
    }
  }
  return 1;
}

int compstripe(double** new_, double** old, int lb, int ub, double t) {
  int a, b, llb, lub;

  if (ub - lb > leafmaxcol) {
    int m = (ub + lb) / 2, l, r;
    l = cilk_spawn compstripe(new_, old, lb, m, t);
    r = compstripe(new_, old, m, ub, t);
    cilk_sync;
    return l + r;
  }

  llb = (lb == 0) ? 1 : lb;
  lub = (ub == nx) ? nx - 1 : ub;
  for (a = llb; a < lub; a++) {
    double *up = old[a - 1], *mid = old[a], *down = old[a + 1], *out = new_[a];
    for (b = 1; b < ny - 1; b++)
      out[b] = dtdxsq * (down[b] - 2 * mid[b] + up[b]) +
               dtdysq * (mid[b + 1] - 2 * mid[b] + mid[b - 1]) + mid[b];
  }
  for (a = llb; a < lub; a++) {
    new_[a][0] = randa(xu + a * dx, t);
    new_[a][ny - 1] = randb(xu + a * dx, t);
  }
  if (lb == 0)
    for (b = 0; b < ny; b++) new_[0][b] = randc(yu + b * dy, t);
  if (ub == nx)
    for (b = 0; b < ny; b++) new_[nx - 1][b] = randd(yu + b * dy, t);
  return 1;
}

void set_up(void) {
  dx = (xo - xu) / (nx - 1);
  dy = (yo - yu) / (ny - 1);
  dt = (to - tu) / nt;
  /* Longer steps than a grid this fine allows would let the rounding errors grow without bound. */
  double longest = 0.2 * fmin(dx * dx, dy * dy);
  if (dt > longest) {
    dt = longest;
    to = tu + nt * dt;
  }
  dtdxsq = dt / (dx * dx);
  dtdysq = dt / (dy * dy);
}

/* One step after the other; returns the strips of all, and the grid that was written last in
 * *result. */
int heat(double** old, double** new_, double*** result) {
  int c, strips;

  strips = allcgrid(new_, old, 0, nx);
  strips += initgrid(old, 0, nx);
  for (c = 1; c <= nt; c++) {
    double t = tu + c * dt;
    double** swap;
    strips += compstripe(new_, old, 0, nx, t);
    swap = old;
    old = new_;
    new_ = swap;
  }
  *result = old;
  return strips;
}

int report(double** grid, int strips) {
  double mae = 0.0, mre = 0.0, sum = 0.0;
  int a, b;
  for (a = 0; a < nx; a++)
    for (b = 0; b < ny; b++) {
      double x = solu(xu + a * dx, yu + b * dy, to), e = fabs(grid[a][b] - x);
      if (e > mae) mae = e;
      if (x > 1e-9 && e / x > mre) mre = e / x;
      sum += grid[a][b];
    }
  printf("heat %d x %d, %d steps: %d strips, sum %.6f, %s\n", nx, ny, nt, strips, sum,
         mae < 1e-6 && mre < 1e-3 ? "close to the solution" : "WRONG");
  return mae < 1e-6 && mre < 1e-3;
}

void free_grids(double** old, double** new_) {
  int a;
  for (a = 0; a < nx; a++) {
    free(old[a]);
    free(new_[a]);
  }
  free(old);
  free(new_);
}

int main(int argc, char* argv[]) {
  double **old, **new_, **grid;
  int strips, good, ret = 1;

  argc = timing_option(argc, argv);
  while (ret < argc) {
    char* option = argv[ret++];
    int value = ret < argc ? atoi(argv[ret++]) : 0;
    if (value < 3 || option[0] != '-') goto usage;
    switch (option[1]) {
      case 'x': nx = value; break;
      case 'y': ny = value; break;
      case 's': nt = value; break;
      case 'g': leafmaxcol = value; break;
      default: goto usage;
    }
  }
  set_up();
  old = (double**)malloc(nx * sizeof(double*));
  new_ = (double**)malloc(nx * sizeof(double*));
  timing_begin();
  strips = heat(old, new_, &grid);
  timing_end();
  good = report(grid, strips);
  free_grids(old, new_);
  return good ? 0 : 1;
usage:
  fprintf(stderr,
          "Usage: heat [-t] [-x columns] [-y rows] [-s steps] [-g columns of a strip], all at "
          "least 3\n");
  return 1;
}
