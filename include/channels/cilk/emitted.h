/* What the C that cilk2chan emits uses besides the runtime's interface. No header of the system is
 * included here: which parts of them a program wants may not be decided yet. */
#ifndef CHANNELS_CILK_SOURCE_H
#define CHANNELS_CILK_SOURCE_H

#include <channels/cilk/abi.h> /* frames, children, loops, views */

/* A function in two copies: `f` begins with a look at how deep it is, and is the serial program if
 * that is too deep; `f_giving` is the one that looks at each of its spawns. */
#define CHANNELS_CILK_GIVING __attribute__((noinline))

/* How often a loop runs that counts `span` down or up by `step`. `any` is its condition, before the
 * first time. */
#define CHANNELS_CILK_TRIPS(any, span, step) \
  ((any) ? ((__UINT64_TYPE__)(span) - 1) / (__UINT64_TYPE__)(step) + 1 : 0)

/* The current strand's view of a reducer. */
#define CHANNELS_CILK_VIEW(leftmost, identity, reduce)                                        \
  (*(__typeof__(leftmost)*)channels_cilk_view((void*)&(leftmost), sizeof(leftmost), identity, \
                                              reduce))

/* A reducer that lives in a block. It ends before the block does, when all children have ended that
 * may use it. */
typedef struct channels_cilk_reducer {
  void* leftmost;
  channels_cilk_frame* frame;
} channels_cilk_reducer;

static inline void channels_cilk_reducer_close(channels_cilk_reducer* reducer) {
  if (reducer->frame) channels_cilk_sync(reducer->frame);
  channels_cilk_reducer_end(reducer->leftmost);
}

/* Declares that, behind the variable. */
#define CHANNELS_CILK_REDUCER(name, variable, children, identity, reduce)              \
  __attribute__((cleanup(channels_cilk_reducer_close))) channels_cilk_reducer name = { \
      (void*)&(variable), children};                                                   \
  channels_cilk_reducer_begin(name.leftmost, sizeof(variable), identity, reduce)

/* Behind a variable with a cleanup of its own: children may use it until then. */
#define CHANNELS_CILK_GUARD(name) \
  __attribute__((cleanup(channels_cilk_guard_close))) channels_cilk_frame* name = &cilk_frame
static inline void channels_cilk_guard_close(channels_cilk_frame** frame) {
  channels_cilk_sync(*frame);
}

#endif
