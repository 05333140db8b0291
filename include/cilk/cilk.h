/* The Cilk keywords, spelled so that any C or C++ compiler can parse them.
 *
 * To an ordinary compiler this header makes a Cilk program its serial elision: the same program
 * with the keywords taken out. cilk2chan recognises the keywords by the expansion of these macros,
 * so they have to be used by these names and not through further macros. */
#ifndef CILK_CILK_H
#define CILK_CILK_H

#if defined(__GNUC__) || defined(__clang__)
/* A prefix operator without effect, which Clang keeps in its syntax tree. */
#define cilk_spawn __extension__
#else
#define cilk_spawn
#endif

#define cilk_sync ((void)0)
#define cilk_for for
#define cilk_scope
#define cilk_reducer(...)

#endif
