// What is not taken of OpenMP is refused by its name, with a note of what to write instead.
// RUN: %host-code-refuse -fopenmp-tasks -w %s | FileCheck --implicit-check-not="'work_and_wait' waits" %s
#include <omp.h>

static int per_thread;
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: 'threadprivate' is not supported
#pragma omp threadprivate(per_thread)

long work(int n);

static long alone(int n) {
  long sum = 0;
// CHECK-DAG: refuse.c:[[@LINE+2]]:{{[0-9]+}}: error: '#pragma omp for' is not in a 'parallel' of its function
// CHECK-DAG: note: write 'parallel for'
#pragma omp for
  for (int i = 0; i < n; i++) sum += i;
  return sum;
}

static void wait_for_all(void) {
// CHECK-DAG: refuse.c:[[@LINE+2]]:{{[0-9]+}}: error: 'wait_for_all' waits for tasks that its caller makes
// CHECK-DAG: note: write the 'taskwait' in the function that makes the tasks
#pragma omp taskwait
}

// For callers in other files. A function that calls others first may mean their tasks.
void wait_for_others(void) {
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: 'wait_for_others' waits for tasks that its caller makes
#pragma omp taskwait
}
void work_and_wait(void) {
  work(1);
#pragma omp taskwait
}

static long tasks(int n, int* data) {
  long x = 0, y = 0;
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: the clause 'depend' is not supported
#pragma omp task shared(x) depend(out : x)
  x = work(n);
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: this clause is not supported: 'task in_reduction'
#pragma omp task in_reduction(+ : y)
  y += work(n);
  wait_for_all();
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: a 'critical' makes tasks
#pragma omp critical
  {
#pragma omp task
    work(n);
  }
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: a directive of OpenMP that is written with '_Pragma' or in a macro
  _Pragma("omp taskwait")
  return x + y + data[0] + alone(n);
}

static void regions(int n, long* to) {
  int last = 0, rows[3];
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: 'rows' is an array that the task cannot have a copy of
#pragma omp parallel for lastprivate(rows)
  for (int i = 0; i < n; i++) rows[i % 3] = i;
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: '#pragma omp target' is not supported
#pragma omp target
  to[0] = last;
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++) {
// CHECK-DAG: refuse.c:[[@LINE+1]]:{{[0-9]+}}: error: '#pragma omp ordered' is not supported
#pragma omp ordered
    to[i] = i;
  }
}

int main(void) {
  long to[9];
  regions(9, to);
  return (int)tasks(3, (int*)to);
}
