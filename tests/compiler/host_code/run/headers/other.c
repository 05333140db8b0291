#include "sub/par.h"
long other(int n) { return pfib(n); }
