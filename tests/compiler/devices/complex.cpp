// Complex numbers of C++'s library. nvcc makes no code for the compiler's own, without a word.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan --device=cuda --emit=tasks -std=c++20 %s -o %t.cu
// RUN: grep -v CHECK %t.cu | FileCheck %s
// CHECK-NOT: __complex__
#include <cilk/cilk.h>

#include <complex>
#include <cstdio>
#include <iostream>
#include <limits>
#include <vector>

using number = std::complex<double>;
using namespace std::complex_literals;

static void transform(number* a, number* t, int n, double sign) {
  if (n == 1) return;
  for (int i = 0; i < n / 2; ++i) {
    t[i] = a[2 * i];
    t[i + n / 2] = a[2 * i + 1];
  }
  cilk_spawn transform(t, a, n / 2, sign);
  transform(t + n / 2, a + n / 2, n / 2, sign);
  cilk_sync;
  for (int k = 0; k < n / 2; ++k) {
    const number turned = std::polar(1.0, sign * 6.283185307179586 * k / n) * t[k + n / 2];
    a[k] = t[k] + turned;
    a[k + n / 2] = t[k] - turned;
  }
}

static number series(int n) {
  if (n < 3) {
    return number(n, 1) / number(2, n) + 2.0i * std::conj(number(n, n)) - 1.0 + 3.0 / number(n, -1) -
           std::pow(number(0.5, n), 3);
  }
  number a = cilk_spawn series(n - 1);
  number b = series(n - 2);
  cilk_sync;
  a *= 0.5;
  b /= number(0.25, a.real() > 0 ? 1 : 2);
  a -= b;
  a += 1;
  return a == b ? number() : -a * std::norm(b) / (1.0 + std::norm(a));
}

// What is infinite stays so, as C's standard has it.
static int edges(int n) {
  if (n < 1) {
    const double far = std::numeric_limits<double>::infinity();
    const number point(far, far);
    const number square = point * point;
    const number below = number(1, 1) / number(0, 0);
    const number none = number(1, 1) / point;
    return (std::abs(square) > 1e300) + 2 * (std::abs(below) > 1e300) + 4 * (std::abs(none) == 0);
  }
  int a = cilk_spawn edges(n - 1);
  int b = edges(n - 1);
  cilk_sync;
  return a + b;
}

int main() {
  std::vector<number> a(256), t(256);
  for (int i = 0; i < 256; ++i) a[i] = number(i % 7, i % 5);
  transform(a.data(), t.data(), 256, -1);
  double sum = 0;
  for (auto& z : a) sum += std::abs(z);
  std::printf("%.6f %.6f\n", sum, a[3].imag());
  std::complex<float> f[64];
  cilk_for (int i = 0; i < 64; ++i) {
    f[i] = std::exp(std::complex<float>(0.01f * i, 1)) * std::sqrt(std::complex<float>(i, -i)) +
           std::pow(std::complex<float>(i + 1, 2), 2);
  }
  std::complex<float> all = 0;
  for (auto z : f) all += z;
  std::printf("%.2f %.2f\n", all.real(), all.imag());
  std::cout << series(12) << ' ' << edges(4) << '\n';
}
