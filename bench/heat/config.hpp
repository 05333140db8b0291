#pragma once

#include <algorithm>  // max
#include <cmath>      // abs
#include <utility>    // swap
#include <vector>     // vector

#include "bench/competitors.hpp"

/// Heat on a grid, by Jacobi steps (examples/corpus/heat.c); each halves the columns down to strips
/// of ten. Checked against the solution of the equation, which the grid's boundary has.
///
/// This comes after the program itself, whose names it uses, as its elision or as its tasks.
namespace bench_heat {
namespace {

constexpr int columns = 1024;
constexpr int rows = 1024;
constexpr int steps = 100;  // fewer are so long that the method is not stable

/// Strips of one step: columns, halved until there are ten or less.
constexpr int strips_of(int width) {
  return width <= 10 ? 1 : strips_of(width / 2) + strips_of(width - width / 2);
}

/// Times `steps` times `step(new, old, t)`, which returns its strips, and nothing else.
template <class Step>
void measure(benchmark::State& state, const Step& step) {
  nx = columns;
  ny = rows;
  nt = steps;
  set_up();
  std::vector<double*> from(columns);
  std::vector<double*> to(columns);
  allcgrid(to.data(), from.data(), 0, columns);
  for (auto _ : state) {
    state.PauseTiming();
    initgrid(from.data(), 0, columns);
    state.ResumeTiming();
    int strips = 0;
    for (int i = 1; i <= steps; ++i) {
      strips += step(to.data(), from.data(), tu + i * dt);
      std::swap(from, to);
    }
    state.PauseTiming();
    double worst = 0;
    for (int a = 0; a < columns; ++a) {
      for (int b = 0; b < rows; ++b) {
        const auto x = static_cast<std::size_t>(a);
        worst = std::max(worst, std::abs(from[x][b] - solu(xu + a * dx, yu + b * dy, ::to)));
      }
    }
    const bool right = strips == steps * strips_of(columns) && worst < 1e-6;
    state.ResumeTiming();
    bench::check(state, right);
  }
  for (double* const column : from) free(column);
  for (double* const column : to) free(column);
}

}  // namespace
}  // namespace bench_heat
