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

#if defined(CHANNELS_CILK_PARSE)
/* For its second pass: a prefix operator without effect and an attribute, which Clang keeps in its
 * syntax tree. */
#define cilk_spawn __extension__
#define cilk_reducer(...) [[clang::annotate_type("cilk_reducer", #__VA_ARGS__)]]
#else
#define cilk_spawn
#define cilk_reducer(...)
#endif

#define cilk_sync ((void)0)
#define cilk_for for
#define cilk_scope

/* The spellings of Cilk Plus and OpenCilk. cilk2chan knows these without a header. */
#if !defined(_Cilk_spawn)
#define _Cilk_spawn cilk_spawn
#define _Cilk_sync cilk_sync
#define _Cilk_for cilk_for
#define _Cilk_scope cilk_scope
#endif
#if !defined(_Hyperobject)
#define _Hyperobject(...)
#endif

#endif

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
