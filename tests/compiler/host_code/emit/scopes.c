// cilk_scope has a frame of its own, braced or not, if something is spawned in it.
// RUN: %cilk2chan --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
void outer(int n) {
  // CHECK: { CHANNELS_CILK_FRAME;
  cilk_scope {
    cilk_spawn leaf(n);
    // CHECK: channels_cilk_sync(&cilk_frame);
    cilk_sync;
  }
  // CHECK: if (n) { CHANNELS_CILK_FRAME; channels_cilk_hungry(&cilk_frame) ? outer_spawn_2(&cilk_frame, n) : (void)(leaf(n)); } else { leaf(3); }
  if (n) cilk_scope cilk_spawn leaf(n); else cilk_scope { leaf(3); }
  // Nothing is spawned here outside of scopes.
  // CHECK: cilk_sync;
  cilk_sync;
}
