// Every use of a reducer becomes a use of the strand's view.
// RUN: %cilk2chan --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

void zero(void* v);
void add(void* left, void* right);
struct tally { int pad; long cilk_reducer(zero, add) sum; };
typedef long cilk_reducer(zero, add) counter;
long cilk_reducer(zero, add) total = 7;
counter events;
void take(long cilk_reducer(zero, add) * p) {
  // CHECK: CHANNELS_CILK_VIEW(*p, zero, add) += 1;
  *p += 1;
}
long use(struct tally* t) {
  // CHECK: long cilk_reducer(zero, add) own = 1; CHANNELS_CILK_REDUCER(cilk_reducer_1, own, 0, zero, add);
  long cilk_reducer(zero, add) own = 1;
  // CHECK: take(&own);
  take(&own);
  // CHECK: CHANNELS_CILK_VIEW(t->sum, zero, add)++;
  t->sum++;
  // CHECK: long* view = &CHANNELS_CILK_VIEW(total, zero, add);
  long* view = &total;
  // CHECK: return CHANNELS_CILK_VIEW(own, zero, add) + CHANNELS_CILK_VIEW(events, zero, add) + sizeof total + *view;
  return own + events + sizeof total + *view;
}
