// The reducers of Cilk Plus in C: with operators, the largest and the smallest value, and of the program's own.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CILK_C_REDUCER_OPADD(total, long, 5);
CILK_C_REDUCER_OPXOR(marks, uint, 0);
CILK_C_REDUCER_OPOR(some, int, 0);
CILK_C_REDUCER_OPAND(every, ulong, ~0ul);
CILK_C_REDUCER_OPMUL(product, ulonglong, 1);
extern CILK_C_REDUCER_OPADD_TYPE(double) real;

// A text: what does not commute.
typedef struct text { char* bytes; size_t length; } text;
static void append(text* to, const char* bytes, size_t length) {
  to->bytes = realloc(to->bytes, to->length + length + 1);
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
  to->bytes[to->length] = 0;
}
static void reduce_text(void* key, void* left, void* right) {
  const text* from = right;
  (void)key;
  if (from->bytes) append(left, from->bytes, from->length);
}
static void identity_text(void* key, void* view) { (void)key; memset(view, 0, sizeof(text)); }
static void destroy_text(void* key, void* view) { (void)key; free(((text*)view)->bytes); }
typedef CILK_C_DECLARE_REDUCER(text) text_reducer;
static text_reducer order = CILK_C_INIT_REDUCER(text, reduce_text, identity_text, destroy_text, {0, 0});

static void walk(int low, int high) {
  if (high - low == 1) {
    char word[16];
    REDUCER_VIEW(total) += low;
    REDUCER_VIEW(marks) ^= (unsigned)(low * low);
    REDUCER_VIEW(some) |= low & 6;
    REDUCER_VIEW(every) &= ~(unsigned long)(low & 8);
    REDUCER_VIEW(product) *= (unsigned long long)(2 * low + 1);
    REDUCER_VIEW(real) += low * 0.5;
    append(&REDUCER_VIEW(order), word, (size_t)snprintf(word, sizeof word, "%d ", low));
    return;
  }
  cilk_spawn walk(low, (low + high) / 2);
  walk((low + high) / 2, high);
  cilk_sync;
}

CILK_C_REDUCER_OPADD(real, double, 0.25);

static int noise(int i) { return (int)((unsigned)i * 2654435761u >> 20) % 1000; }

static long local(int n) {
  CILK_C_REDUCER_OPADD(sum, int, 1);
  CILK_C_REDUCER_MAX(most, int, -1);
  CILK_C_REDUCER_MIN_INDEX(least, double, 1e9);
  CILK_C_REDUCER_MAX_INDEX(where, long, -1);
  CILK_C_REGISTER_REDUCER(sum);
  CILK_C_REGISTER_REDUCER(most);
  CILK_C_REGISTER_REDUCER(least);
  CILK_C_REGISTER_REDUCER(where);
  cilk_for (int i = 0; i < n; i++) {
    REDUCER_VIEW(sum) += i;
    CILK_C_REDUCER_MAX_CALC(most, noise(i));
    CILK_C_REDUCER_MIN_INDEX_CALC(least, i, noise(i) / 100 + 0.5);
    CILK_C_REDUCER_MAX_INDEX_CALC(where, i, noise(i) / 100);
  }
  CILK_C_UNREGISTER_REDUCER(where);
  CILK_C_UNREGISTER_REDUCER(least);
  CILK_C_UNREGISTER_REDUCER(most);
  CILK_C_UNREGISTER_REDUCER(sum);
  printf("%d %d %ld %.1f %ld %ld\n", sum.value, most.value, (long)least.value.index, least.value.value,
         (long)where.value.index, where.value.value);
  return sum.value + most.value;
}

static long nested(int n) {
  if (n < 2) {
    long made;
    CILK_C_REDUCER_OPADD(own, long, 0);
    CILK_C_REGISTER_REDUCER(own);
    cilk_for (int i = 0; i < 20 + n; i++) REDUCER_VIEW(own) += i;
    made = REDUCER_VIEW(own);
    CILK_C_UNREGISTER_REDUCER(own);
    return made;
  }
  long a = cilk_spawn nested(n - 1);
  long b = nested(n - 2);
  cilk_sync;
  return a + b;
}

int main(void) {
  walk(0, 100);
  printf("%ld %u %d %lu %llu %.2f %s\n", total.value, marks.value, some.value, every.value, product.value,
         real.value, order.value.bytes);
  printf("%ld %ld\n", local(500), nested(9));
  free(order.value.bytes);
  return 0;
}
