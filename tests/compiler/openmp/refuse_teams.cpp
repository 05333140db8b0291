// What the threads of a 'parallel' cannot be as parts of tasks is refused, with what to write instead.
// RUN: %host-code-refuse -fopenmp-tasks -w %s | FileCheck %s
#include <omp.h>

#include <vector>

void work(int n);

static int number() {
// CHECK-DAG: refuse_teams.cpp:[[@LINE+2]]:{{[0-9]+}}: error: 'number' asks for the number of the thread, and a 'parallel' calls it
// CHECK-DAG: note: give it the number as an argument
  return omp_get_thread_num();
}

// Through another function.
static int doubled() { return 2 * number(); }

static void heads(int n) {
#pragma omp parallel
  {
    int own = doubled();
// CHECK-DAG: refuse_teams.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 'this' would run once for each thread
    if (own > 3) {
#pragma omp barrier
      work(own);
    }
    int step;
    for (step = 0; step < n; ++step) {
#pragma omp barrier
// CHECK-DAG: refuse_teams.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 'step' would run once for each thread
      step++;
    }
#pragma omp sections
    {
// CHECK-DAG: refuse_teams.cpp:[[@LINE-2]]:{{[0-9]+}}: error: '#pragma omp sections' would run once for each thread
#pragma omp section
      work(own);
    }
  }
}

static void kept(int n) {
#pragma omp parallel
  {
// CHECK-DAG: refuse_teams.cpp:[[@LINE+2]]:{{[0-9]+}}: error: each thread of a 'parallel' would have 'own' of its own, across a place where threads meet
// CHECK-DAG: note: declare it between two such places
    std::vector<int> own(n);
#pragma omp for
    for (int i = 0; i < n; ++i) own[i] = i;
    work(own[0]);
  }
}

struct tree {
// CHECK-DAG: refuse_teams.cpp:[[@LINE+2]]:{{[0-9]+}}: error: 'walk' asks whether the task that calls it is final, and is no plain function
// CHECK-DAG: note: make it a function that is no member
  void walk(int n) { if (!omp_in_final()) work(n); }
};

int main() {
  heads(3);
  kept(4);
  tree().walk(1);
}
