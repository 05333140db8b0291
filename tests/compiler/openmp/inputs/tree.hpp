#pragma once
inline long in_header(int n) {
  long a = 0, b = 0;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = in_header(n - 1);
  b = in_header(n - 2);
#pragma omp taskwait
  return a + b;
}
