// What every thread of a 'parallel' runs in C++: members, templates, containers of a thread's own in
// one phase, references outside.
// RUN: %cilk2chan -fopenmp-tasks -O1 -w -std=c++17 %s -o %t
// RUN: env CHANNELS_CUS=1 %t | FileCheck %s
// RUN: env CHANNELS_GIVE=always CHANNELS_CUS=3 %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels %t 2>/dev/null | FileCheck %s
// CHECK: 100 even, 9900 in all
// CHECK-NEXT: 4950 4950 99.0 45
#include <omp.h>

#include <cstdio>
#include <vector>

// Each thread collects in a vector of its own.
static std::vector<int> evens(int n) {
  std::vector<int> all;
#pragma omp parallel
  {
    std::vector<int> own;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i % 2 == 0) own.push_back(i);
#pragma omp critical
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

struct table {
  std::vector<long> values;
  long total = 0;

  void add_up() {
    long sum = 0;
    const std::vector<long>& from = values;
#pragma omp parallel reduction(+ : sum)
    {
      int me = omp_get_thread_num(), of = omp_get_num_threads();
      for (std::size_t i = me; i < from.size(); i += of) sum += from[i];
    }
    total = sum;
  }
};

template <class T>
T greatest(const std::vector<T>& from) {
  T most = from[0];
#pragma omp parallel for reduction(max : most)
  for (int i = 0; i < (int)from.size(); ++i)
    if (from[i] > most) most = from[i];
  return most;
}

static int numbers() {
  int sum = 0;
#pragma omp parallel num_threads(10)
  {
    auto me = omp_get_thread_num();
#pragma omp atomic
    sum += me;
  }
  return sum;
}

int main() {
  long sum = 0;
  for (int each : evens(200)) sum += each;
  std::printf("%zu even, %ld in all\n", evens(200).size(), sum);
  table made;
  std::vector<double> reals;
  for (int i = 0; i < 100; ++i) {
    made.values.push_back(i);
    reals.push_back(i);
  }
  made.add_up();
  std::printf("%ld %ld %.1f %d\n", made.total, greatest(made.values) * 50, greatest(reals), numbers());
}
