/* What C code that cilk2chan emits uses besides abi.h. It includes no system header, because the
 * program may not have chosen yet which parts of those are visible. */
#ifndef CHANNELS_CILK_SOURCE_H
#define CHANNELS_CILK_SOURCE_H

#include <channels/cilk/abi.h> /* frames, children, loops, views */

/* A function in two versions: `f` checks how deep it is, and if it is too deep it runs as the
 * serial program; `f_giving` checks for hungry workers at each of its spawns. */
#define CHANNELS_CILK_GIVING __attribute__((__noinline__))

/* The number of iterations of a loop that covers `span` in steps of `step`. `any` is its condition
 * before the first iteration. */
#define CHANNELS_CILK_TRIPS(any, span, step) \
  ((any) ? ((__UINT64_TYPE__)(span) - 1) / (__UINT64_TYPE__)(step) + 1 : 0)

/* The current strand's view of a reducer. */
#define CHANNELS_CILK_VIEW(leftmost, identity, reduce)                                        \
  (*(__typeof__(leftmost)*)channels_cilk_view((void*)&(leftmost), sizeof(leftmost), identity, \
                                              reduce))

/* A reducer that is a local variable. It ends before its block does, after all children that may
 * use it. */
typedef struct channels_cilk_reducer {
  void* leftmost;
  channels_cilk_frame* frame;
} channels_cilk_reducer;

static inline void channels_cilk_reducer_close(channels_cilk_reducer* reducer) {
  if (reducer->frame) channels_cilk_sync(reducer->frame);
  channels_cilk_reducer_end(reducer->leftmost);
}

/* Declares such a reducer, behind its variable. */
#define CHANNELS_CILK_REDUCER(name, variable, children, identity, reduce)                  \
  __attribute__((__cleanup__(channels_cilk_reducer_close))) channels_cilk_reducer name = { \
      (void*)&(variable), children};                                                       \
  channels_cilk_reducer_begin(name.leftmost, sizeof(variable), identity, reduce)

/* Stands behind a variable with a cleanup: joins the children, which may use the variable, first.
 */
#define CHANNELS_CILK_GUARD(name) \
  __attribute__((__cleanup__(channels_cilk_guard_close))) channels_cilk_frame* name = &cilk_frame
static inline void channels_cilk_guard_close(channels_cilk_frame** frame) {
  channels_cilk_sync(*frame);
}

/* The same in an inner block: it joins when a return leaves the block, which says so before. */
typedef struct channels_cilk_return_guard {
  channels_cilk_frame* frame;
  int joins;
} channels_cilk_return_guard;
static inline void channels_cilk_return_guard_close(channels_cilk_return_guard* guard) {
  if (guard->joins) channels_cilk_sync(guard->frame);
}
#define CHANNELS_CILK_RETURN_GUARD(name) \
  __attribute__((__cleanup__(            \
      channels_cilk_return_guard_close))) channels_cilk_return_guard name = {&cilk_frame, 0}

#endif
