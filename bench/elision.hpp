#pragma once

// What the programs of examples/corpus include. A competitor that has such a program's elision in a
// namespace of its own, for its kernels, input and check, includes this before.

#include <cilk/cilk.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <corpus/timing.h>
