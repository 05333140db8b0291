// Macros that are called what the text of tasks is made of, in the file and on the command line.
// RUN: %device-run-and-compare %s -DT=double -D NUMBER=24 -DO -DV=1 '-DK(x)=x' -D_OWN=3 -DGONE -UGONE
// RUN: %host-code-run-and-compare %s -DT=double -D NUMBER=24 -DO -DV=1 -D_OWN=3
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -DT=double -D NUMBER=24 -D_OWN=3 \
// RUN:   -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 3 of 3 functions, 1 of 1 loops
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#define Group 21
#define Lane 22
#define Port 23
#define R 24
#define U 25
#define addresses 26
#define adds_results 27
#define alias 28
#define allocate 29
#define allocates 30
#define apart 31
#define args a_
#define arguments 32
#define as_task 33
#define asks_for_parts 34
#define begin 0
#define bind 35
#define bind_addresses 36
#define call 37
#define call_place 38
#define call_unknown 39
#define called 40
#define channels 41
#define cilk 42
#define copy_in 43
#define copy_in_and_out 44
#define default_grain 45
#define detail 46
#define divides_leaf 47
#define division 48
#define end NUMBER
#define endings 49
#define enter 50
#define f(x) ((x) + 1)
#define f_ 51
#define finish 52
#define first 1
#define first_ 53
#define frame 54
#define from 55
#define gpu 56
#define gpu_unit 57
#define grain 58
#define grain_for_lanes 59
#define half(x) ((x) / 2)
#define half_for_lanes 60
#define host 61
#define invoke 62
#define is_leaf 63
#define join_lanes 64
#define kept_frame 65
#define lane 3
#define lane_access 66
#define lane_in 67
#define lanes_of 68
#define leaf 69
#define leaf_division 70
#define leaf_memory 71
#define leaf_test_reads_memory 72
#define limit_ 73
#define line 74
#define memory 75
#define messages 76
#define name "n"
#define named_variables 77
#define nth 78
#define of_host 79
#define of_lane 80
#define open 81
#define outcome 82
#define output 83
#define place_of 84
#define plain_function 85
#define point 86
#define point_ 87
#define pointer_targets 88
#define pointers 89
#define quick_leaves 90
#define range 91
#define recursion 92
#define reserve 93
#define result value_
#define result_type 94
#define results_in_frame 95
#define resume 96
#define retry 97
#define run_on_gpu 98
#define shares_frame 99
#define spawn cilk_spawn
#define spawn_bound 100
#define spawns 101
#define step 2
#define step_ 102
#define suits_gpu 103
#define sums_up 104
#define sync cilk_sync
#define takes_leaves 105
#define task_list 106
#define trips 107
#define trips_ 108
#define type 109
#define unbounded 110
#define unused 111
#define up 4
#define value value_
#define yield 112

struct numbers {
  T value;
  T other;
};

static long fib(long n) {
  if (n < 2) return n;
  long a = spawn fib(n - 1);
  long b = fib(n - 2);
  sync;
  return a + b;
}

static T sum(struct numbers* all, int count) {
  T whole = 0;
  for (int i = begin; i < count; i++) whole += all[i].result * lane;
  return whole;
}

static T walk(struct numbers* all, int count) {
  if (count < up) return sum(all, count);
  T x = spawn walk(all, half(count));
  T y = walk(all + half(count), count - half(count));
  sync;
  return f(x) + y * step;
}

int main(void) {
  struct numbers* all = malloc(1000 * sizeof *all);
  cilk_for (int i = 0; i < 1000; i++) {
    all[i].value = i * first % 7;
    all[i].other = _OWN;
  }
#ifdef GONE
  return 1;
#endif
  printf("%ld %.17g %g %s\n", fib(end), walk(all, 1000), all[999].other, name);
  free(all);
  return 0;
}
