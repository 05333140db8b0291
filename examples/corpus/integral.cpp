// Integrals of a few curves by the trapezoidal rule, and how rough each curve is, as courses on
// Cilk Plus begin: sums, a product and extremes in reducers of floating-point numbers. The curve is
// an argument of a template.
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opmul.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "timing.h"

struct measured {
  std::string name;
  double area = 0, length = 0, steepest = 0;
};

template <class Curve>
measured measure(const char* name, double from, double to, int n, const Curve& curve) {
  measured result{name};
  const double step = (to - from) / n;
  std::vector<double> values(n + 1);
  cilk_for (int i = 0; i <= n; ++i) values[i] = curve(from + i * step);
  cilk::reducer_opadd<double> area(0.0), length(0.0);
  cilk::reducer_max<double> steepest(0.0);
  cilk_for (int i = 0; i < n; ++i) {
    const double rise = values[i + 1] - values[i];
    area += 0.5 * (values[i] + values[i + 1]) * step;
    length = length + std::sqrt(rise * rise + step * step);
    steepest.calc_max(std::abs(rise / step));
  }
  result.area = area->get_value();
  result.length = length.get_value();
  result.steepest = steepest.get_value();
  return result;
}

// Wallis' product for pi.
static double wallis(int n) {
  cilk::reducer<cilk::op_mul<double>> all(2.0);
  cilk_for (int i = 1; i <= n; ++i) *all *= 4.0 * i * i / (4.0 * i * i - 1);
  return all.get_value();
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 10000;
  timing_begin();
  std::vector<measured> all;
  all.push_back(measure("4 / (1 + x^2)", 0, 1, n, [](double x) { return 4 / (1 + x * x); }));
  all.push_back(measure("sin x", 0, 3, n, [](double x) { return std::sin(x); }));
  const double width = 0.25;
  all.push_back(measure("bell", -2, 2, n, [=](double x) { return std::exp(-x * x / width); }));
  const double pi = wallis(n);
  timing_end();
  for (const measured& one : all)
    std::printf("%s: area %.6f, length %.6f, slope at most %.4f\n", one.name.c_str(), one.area,
                one.length, one.steepest);
  std::printf("a product for pi: %.6f\n", pi);
  return 0;
}
