/* Makes a program its serial elision: what a Cilk program includes in the place of cilk/cilk.h, or
 * before it, to be the serial program whatever the compiler. */
#ifndef CILK_CILK_STUB_H
#define CILK_CILK_STUB_H

/* cilk/cilk.h gives the keywords no other meaning afterwards. */
#ifndef CILK_CILK_H
#define CILK_CILK_H
#endif
#define CILK_STUB

#undef cilk_spawn
#undef cilk_sync
#undef cilk_for
#undef cilk_scope
#undef cilk_reducer
#undef _Cilk_spawn
#undef _Cilk_sync
#undef _Cilk_for
#undef _Cilk_scope
#undef _Hyperobject
#define cilk_spawn
#define cilk_sync
#define cilk_for for
#define cilk_scope
#define cilk_reducer(...)
#define _Cilk_spawn
#define _Cilk_sync
#define _Cilk_for for
#define _Cilk_scope
#define _Hyperobject(...)

#endif
