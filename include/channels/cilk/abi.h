/* The interface of host code to the runtime, for code that cilk2chan emits. C11 and C++20, gcc and
 * clang.
 *
 * Host code of a Cilk function is the function itself, with a frame, and with a check at each spawn
 * whether some worker is hungry. Nearly always none is, and the spawn is a plain call. Otherwise
 * the child is given away: its arguments go into a record that another worker may take. A sync
 * takes back the children that nobody has begun, and waits for the others.
 *
 *     long fib(long n) {                       |  static void fib_run_1(void* closure) {
 *       CHANNELS_CILK_FRAME;                   |    struct fib_1* const c = closure;
 *       if (n < 2) return n;                   |    *c->x = fib(c->n);
 *       long x;                                |  }
 *       if (channels_cilk_hungry(&cilk_frame)) |  static CHANNELS_CILK_COLD void fib_spawn_1(
 *         fib_spawn_1(&cilk_frame, &x, n - 1); |      channels_cilk_frame* frame, long* x, long n) {
 *       else                                   |    struct fib_1 c = {x, n};
 *         x = fib(n - 1);                      |    channels_cilk_give(frame, fib_run_1, 0, &c, sizeof c);
 *       long y = fib(n - 2);                   |  }
 *       channels_cilk_sync(&cilk_frame);       |
 *       return x + y;                          |
 *     }                                        |
 *
 * A frame belongs to the thread that declares it: only that thread gives from it, syncs it and ends
 * it. */
#ifndef CHANNELS_CILK_ABI_H
#define CHANNELS_CILK_ABI_H

#include <stdbool.h> /* bool */
#include <stddef.h>  /* size_t */
#if defined(__cplusplus)
#include <stdint.h> /* uintptr_t, uint64_t */
#else
/* In C that header would fix which parts of the system's headers are visible, before the program
 * chooses. */
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __UINT64_TYPE__ uint64_t;
#endif

/* C code, not modern C++. NOLINTBEGIN(modernize-*) */
#if defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/* Rare paths are kept out of the code of the frequent ones. */
#if defined(CHANNELS_CILK_RACES) && !defined(CHANNELS_CILK_RACES_RUNTIME)
/* With `cilk2chan --races` each child is given away, to a library that runs it at once. What code
 * does with closures is not the program's. */
#define CHANNELS_CILK_COLD __attribute__((__noinline__, __no_sanitize__("thread")))
#else
#define CHANNELS_CILK_COLD __attribute__((__cold__, __noinline__))
#endif
/* With --races, the address of the code behind a call of these names the spawn or the loop. */
#if defined(CHANNELS_CILK_RACES)
#define CHANNELS_CILK_AT_SITE __attribute__((__always_inline__)) inline
#else
#define CHANNELS_CILK_AT_SITE
#endif
#define CHANNELS_CILK_INLINE static inline __attribute__((__always_inline__))
/* __thread and not thread_local: C++ would call a function before each use of the latter. */
#define CHANNELS_CILK_THREAD __thread __attribute__((__tls_model__("initial-exec")))

/* ---- spawn and sync ---- */

/* A child that is given away. */
typedef struct channels_cilk_child channels_cilk_child;

/* The children that a call has given away and not joined, the newest first. */
typedef struct channels_cilk_frame {
  channels_cilk_child* children;
} channels_cilk_frame;

/* Frames at or above this address give their children away. Stacks grow down, so these are the
 * shallow ones, whose children are large. UINTPTR_MAX: no frame gives. 0, the value
 * before a thread's first spawn: all frames give. Other threads write it, too, as advice; so the
 * load is atomic, and relaxed because no other data depends on it. */
extern CHANNELS_CILK_THREAD uintptr_t channels_cilk_limit;

/* Whether the next child of `frame` is to be given away. Every spawn costs this check. */
CHANNELS_CILK_INLINE bool channels_cilk_hungry(const channels_cilk_frame* frame) {
#if defined(CHANNELS_CILK_RACES)
  (void)frame;
  return true;
#else
#if defined(__SANITIZE_ADDRESS__)
#define CHANNELS_CILK_FAKE_STACK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHANNELS_CILK_FAKE_STACK 1
#endif
#endif
#if defined(CHANNELS_CILK_FAKE_STACK)
  /* The sanitizer keeps variables outside of the stack. */
  (void)frame;
  const uintptr_t address = (uintptr_t)__builtin_frame_address(0);
#else
  const uintptr_t address = (uintptr_t)frame;
#endif
  return __builtin_expect(address >= __atomic_load_n(&channels_cilk_limit, __ATOMIC_RELAXED), 0);
#endif
}

/* Frames at or above this address may be asked for children at any time. Below it, children are too
 * small, as far as is known. UINTPTR_MAX: there is no other worker. 0 before a thread's first
 * spawn. Written and read like the limit, relaxed for the same reason. */
extern CHANNELS_CILK_THREAD uintptr_t channels_cilk_depth;

/* Whether the calling function should check for hungry workers at each of its spawns. If not, it
 * may run its serial version; the functions that it calls decide for themselves. */
CHANNELS_CILK_INLINE bool channels_cilk_shallow(void) {
  uintptr_t here;
#if defined(__x86_64__)
  /* The stack pointer: a variable's or the frame's address would cost more than the rest. */
  __asm__("mov{q %%rsp, %0| %0, rsp}" : "=r"(here));
#elif defined(__aarch64__)
  __asm__("mov %0, sp" : "=r"(here));
#else
  here = (uintptr_t)__builtin_frame_address(0);
#endif
  return __builtin_expect(here >= __atomic_load_n(&channels_cilk_depth, __ATOMIC_RELAXED), 0);
}

/* The same for a child with a `finish` (below). It is also given if earlier children are not joined
 * yet, because it must not be finished before them. */
CHANNELS_CILK_INLINE bool channels_cilk_hungry_or_pending(const channels_cilk_frame* frame) {
#if defined(CHANNELS_CILK_RACES)
  (void)frame;
  return true;
#else
  return channels_cilk_hungry(frame) || __builtin_expect(frame->children != NULL, 0);
#endif
}

/* Gives a child away, or runs it at once if nobody wants it after all.
 *
 * `run(closure)` computes, on any thread; it usually writes through a result pointer in the
 * closure. `finish(closure)`, unless it is NULL, runs when the child is joined, by the thread of
 * the frame, in the serial order of the frame's spawns: `x += cilk_spawn f()` is added there. Both
 * get a copy of the `size` bytes, aligned to 64, that nobody else uses; `closure` itself is free
 * when this returns. */
CHANNELS_CILK_COLD void channels_cilk_give(channels_cilk_frame* frame, void (*run)(void* closure),
                                           void (*finish)(void* closure), void* closure,
                                           size_t size);

#if defined(CHANNELS_CILK_RACES)
/* The same with `--races`: runs the child at once, as one that may run in parallel with what comes
 * until the frame's next sync. `site` is the code behind the spawn. */
void channels_races_child(channels_cilk_frame* frame, void (*run)(void* closure),
                          void (*finish)(void* closure), void* closure, size_t size, void* site);
#define channels_cilk_give(frame, run, finish, closure, size) \
  channels_races_child(frame, run, finish, closure, size, __builtin_return_address(0))
#endif

/* Returns when all children of the frame have ended and are joined. */
CHANNELS_CILK_COLD void channels_cilk_join(channels_cilk_frame* frame);

/* `cilk_sync`. Also needed before the end of the scope of variables that children may use. */
CHANNELS_CILK_INLINE void channels_cilk_sync(channels_cilk_frame* frame) {
#if defined(CHANNELS_CILK_RACES)
  channels_cilk_join(frame);
#else
  if (__builtin_expect(frame->children != NULL, 0)) {
    channels_cilk_join(frame);
    frame->children = NULL; /* it is NULL already; this tells the compiler */
  }
#endif
}

/* In C: declares `cilk_frame`, and joins on every way out of its scope. In C++ it is
 * channels::cilk::frame (channels/cilk/spawn.hpp). */
#if defined(CHANNELS_CILK_RACES)
/* The frame's address is all that is needed of it. */
#define CHANNELS_CILK_FRAME \
  __attribute__((__cleanup__(channels_cilk_sync_on_exit))) channels_cilk_frame cilk_frame
#else
#define CHANNELS_CILK_FRAME \
  __attribute__((__cleanup__(channels_cilk_sync_on_exit))) channels_cilk_frame cilk_frame = {NULL}
#endif
CHANNELS_CILK_INLINE void channels_cilk_sync_on_exit(channels_cilk_frame* frame) {
  channels_cilk_sync(frame);
}

/* For closures that cannot be copied byte by byte. `reserve` returns where to build one of `size`
 * bytes, aligned to 64, or NULL: then the spawn is a plain call. `give_reserved` gives the child
 * away; then either `finish`, or `drop` if it or a serially earlier child has thrown, is called
 * exactly once, and ends the closure. `unreserve` is for a closure that could not be built.
 *
 * `in_order`: `finish` must come after that of the frame's children before. NULL is then returned
 * only when they are joined. */
CHANNELS_CILK_COLD void* channels_cilk_reserve(channels_cilk_frame* frame, size_t size,
                                               bool in_order);
CHANNELS_CILK_COLD void channels_cilk_give_reserved(channels_cilk_frame* frame, void* closure,
                                                    void (*run)(void* closure),
                                                    void (*finish)(void* closure),
                                                    void (*drop)(void* closure));
CHANNELS_CILK_COLD void channels_cilk_unreserve(void* closure);

/* ---- other ranks of an MPI job ---- */

/* A child that may run at another rank (cilk2chan --net=mpi). Its closure is values without
 * pointers, but for one pointer to where its result goes, or with room for the result; what it runs
 * uses no other memory than its own. All ranks run the same program, so a child's place in the list
 * of these is the same at all of them. */
typedef struct channels_cilk_traveller {
  const char* function;       /* what the child calls, for messages */
  void (*run)(void* closure); /* by which children are recognised */
  size_t size;                /* bytes of the closure */
  size_t result_at;           /* where the closure has the pointer, or the result itself */
  size_t result_size;         /* bytes of the result */
  bool result_inside;         /* the closure has the result; `finish` uses it at the join */
  struct channels_cilk_traveller* next; /* the list; the runtime's */
} channels_cilk_traveller;

/* Closures and results of this many bytes travel at most. */
#define CHANNELS_CILK_MOST_TRAVELLING 16384

/* Adds to the list. Constructors call it, before `main`. */
void channels_cilk_travels(channels_cilk_traveller* how);

/* ---- order ---- */

/* A constructor of the program calls it. Each line of `functions` names a function that has host
 * code alone, and the reason. Prints them on stderr if the program runs through channels or on a
 * device. */
void channels_cilk_stays(const char* functions);

/* ---- cilk_for ---- */

/* Runs the iterations 0 to `count` - 1 in calls `run(closure, begin, end)`, each for at most
 * `grain` of them and in order within a call. Grain 0: a call takes some microseconds. Returns when
 * all are done. As by spawns, the serial order holds for reducers and for which exception wins. */
void channels_cilk_for(uint64_t count, uint64_t grain,
                       void (*run)(void* closure, uint64_t begin, uint64_t end), void* closure);

/* ---- reducers ---- */

/* A strand's views of reducers, last used first. */
typedef struct channels_cilk_views {
  const void* leftmost;
  void* view;
} channels_cilk_views;

/* This strand's views. NULL in the leftmost strand, where the views are the variables themselves.
 */
extern CHANNELS_CILK_THREAD channels_cilk_views* channels_cilk_strand;

void* channels_cilk_find_view(void* leftmost, size_t size, void (*identity)(void* view),
                              void (*reduce)(void* left, void* right));

/* This strand's view of the reducer whose variable is `leftmost`, of `size` bytes. The first use in
 * a strand makes one with `identity`. At joins `reduce` does `*left = *left + *right` in serial
 * order, and ends the life of `*right`, whose memory is the runtime's. A view is good until the
 * next spawn, call or sync. */
CHANNELS_CILK_INLINE void* channels_cilk_view(void* leftmost, size_t size,
                                              void (*identity)(void* view),
                                              void (*reduce)(void* left, void* right)) {
#if defined(CHANNELS_CILK_RACES)
  return channels_cilk_find_view(leftmost, size, identity, reduce);
#else
  channels_cilk_views* const strand = channels_cilk_strand;
  if (__builtin_expect(strand == NULL, 1)) return leftmost;
  if (strand->leftmost == leftmost) return strand->view;
  return channels_cilk_find_view(leftmost, size, identity, reduce);
#endif
}

/* A reducer that is a local variable: the strand that declares it has the variable itself for a
 * view. `begin` comes when it is initialised; `end` when it dies, after a sync of its function's
 * frame. Global reducers need neither. */
void channels_cilk_reducer_begin(void* leftmost, size_t size, void (*identity)(void* view),
                                 void (*reduce)(void* left, void* right));
void channels_cilk_reducer_end(void* leftmost);

#if defined(__cplusplus)
}
#pragma GCC diagnostic pop
#endif
/* NOLINTEND(modernize-*) */

#endif
