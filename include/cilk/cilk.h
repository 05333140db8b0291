/* The Cilk keywords, spelled so that any C or C++ compiler can parse them.
 *
 * To an ordinary compiler this header makes a Cilk program its serial elision: the same program
 * with the keywords taken out. cilk2chan recognises the keywords by the expansion of these macros.
 */
#ifndef CILK_CILK_H
#define CILK_CILK_H

#if defined(CHANNELS_CILK_WORDS)
/* For cilk2chan's first pass over a file: the keywords stay. */
#define cilk_spawn cilk_spawn
#define cilk_sync cilk_sync
#define cilk_for cilk_for
#define cilk_scope cilk_scope
#define cilk_reducer cilk_reducer
#else

#if defined(__GNUC__) || defined(__clang__)
/* A prefix operator without effect, which Clang keeps in its syntax tree. */
#define cilk_spawn __extension__
#else
#define cilk_spawn
#endif

#define cilk_sync ((void)0)
#define cilk_for for
#define cilk_scope
#if defined(CHANNELS_CILK_PARSE)
#define cilk_reducer(...) [[clang::annotate_type("cilk_reducer", #__VA_ARGS__)]]
#else
#define cilk_reducer(...)
#endif

#endif

/* The spellings of Cilk Plus. */
#define _Cilk_spawn cilk_spawn
#define _Cilk_sync cilk_sync
#define _Cilk_for cilk_for
#define _Cilk_scope cilk_scope

/* The functions that translated programs call. */
#if defined(CHANNELS_CILK_HOST_CODE)
#if defined(__cplusplus)
extern "C++" {
#include <channels/cilk/emitted.hpp>
}
#else
#include <channels/cilk/emitted.h>
#endif
#endif

#endif
