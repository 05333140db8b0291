// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
void zero(void* v);
void add(void* left, void* right);
// CHECK: :[[@LINE+1]]:25: error: 'cilk_reducer' wants two functions, which make an identity and reduce two values to one
long cilk_reducer(zero) total;
// CHECK: note: write 'T cilk_reducer(identity, reduce) name = value;'
// CHECK: :[[@LINE+1]]:40: error: 'cilk_reducer' belongs to the type of a variable or a member, and not to that of 'x'
void take(long cilk_reducer(zero, add) x) { (void)x; }
// CHECK: note: declare the reducer itself as a variable; pass a pointer to what holds it
