#pragma once
// What a program includes that is to be Cilk wherever a compiler knows it.
#if defined(SERIAL)
#define cilk_spawn
#define cilk_sync
#define cilk_for for
#else
#define cilk_spawn _Cilk_spawn
#define cilk_sync _Cilk_sync
#define cilk_for _Cilk_for
#endif
