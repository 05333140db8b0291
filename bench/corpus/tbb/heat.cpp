// oneTBB first: heat.c defines macros whose names oneTBB's headers use.
#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/heat.c"
#undef main

#include "bench/corpus/tbb/heat.hpp"

namespace with_tbb {

int heat(double** old, double** new_, double*** result) {
  int count = strips(0, nx, [=](int lb, int ub) { return allcgrid(new_, old, lb, ub); });
  count += strips(0, nx, [=](int lb, int ub) { return initgrid(old, lb, ub); });
  for (int c = 1; c <= nt; c++) {
    const double t = tu + c * dt;
    count += strips(0, nx, [=](int lb, int ub) { return compstripe(new_, old, lb, ub, t); });
    double** const swap = old;
    old = new_;
    new_ = swap;
  }
  *result = old;
  return count;
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  for (int i = 1; i + 1 < argc; i += 2) {
    switch (argv[i][1]) {
      case 'x': nx = atoi(argv[i + 1]); break;
      case 'y': ny = atoi(argv[i + 1]); break;
      case 's': nt = atoi(argv[i + 1]); break;
      case 'g': leafmaxcol = atoi(argv[i + 1]); break;
    }
  }
  set_up();
  double** old = static_cast<double**>(malloc(nx * sizeof(double*)));
  double** new_ = static_cast<double**>(malloc(nx * sizeof(double*)));
  double** grid = nullptr;
  int count = 0;
  with_tbb::timed([&] { count = with_tbb::heat(old, new_, &grid); });
  const int good = report(grid, count);
  free_grids(old, new_);
  return good ? 0 : 1;
}
