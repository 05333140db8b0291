#include <cilk/cilk.h>

#define LAST 2
