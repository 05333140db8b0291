#include "sub/par.h"
#include "sub/inner.h"
