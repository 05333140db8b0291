/* Cilk programs in C, as host code in the form that cilk2chan emits. */
#ifndef CHANNELS_TESTS_HOST_CODE_PROGRAMS_H
#define CHANNELS_TESTS_HOST_CODE_PROGRAMS_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* x = cilk_spawn fib(n - 1); y = fib(n - 2); cilk_sync; */
long fib(long n);

/* Solutions of the queens' problem; boards are allocated with alloca, children spawned in a loop.
 */
long queens(int rows);

/* 1 + (cilk_spawn chain(n - 1)), joined at once: a recursion of depth n in which each frame
 * spawns. */
long chain(long n);

/* The number of nodes of a tree in which one of a node's two subtrees is much larger. */
long lopsided(long n);

/* A function that leaves without a sync while its child writes to *target. */
long leaves_early(long* target, long n);

/* hash = hash * 31 + i, written as `hash <<= ..., hash += cilk_spawn`: compound assignments that do
 * not commute. */
uint64_t assigns_in_order(int n);
uint64_t assigns_in_order_serially(int n);

/* A function with a struct of 40 bytes as result and argument. */
struct five {
  long of[5];
};
struct five sums(struct five from, int depth);

/* Many tiny regions of two calls and a sync; returns the number of calls. */
long many_syncs(int n);

/* Adds i * i for all i below n to target[i], with cilk_for; and a triangle with a loop in a loop.
 */
void squares(uint64_t* target, uint64_t n, uint64_t grain);
uint64_t triangle(uint64_t n);

/* Appends the numbers from begin to end - 1 to a text that is a reducer, by halving. */
struct text {
  char* characters;
  uint64_t length;
  uint64_t room;
};
void text_identity(void* view);
void text_reduce(void* left, void* right);
void text_append(struct text* to, const char* what);
/* The text of the numbers below n, each followed by a blank; to be freed. By spawns, or by a
 * cilk_for. */
char* numbers(long n, int by_loop);

#if defined(__cplusplus)
}
#endif

#endif
