// Headers with functions that spawn: nested, with #pragma once, included twice, or again with other macros; and
// several translation units.
// RUN: %host-code-run-and-compare %s %S/headers/other.c %S/headers/plain.cc -I %S/headers
#define _GNU_SOURCE
#include "all.h"
#include "sub/par.h"
#include <stdio.h>
#include <cilk/cilk.h>
#define NAME fi
#define TYPE int
#include "tmpl.h"
#undef NAME
#undef TYPE
#define NAME fd
#define TYPE double
#include "tmpl.h"
int main(void) {
  int a[5]; double d[5]; long z;
  fi(a, 5); fd(d, 5);
  z = PSPAWN other(12);
  cilk_sync;
  printf("%ld %ld %d %g %s:%d\n", pfib(10), z, a[4], d[4], "headers.c", __LINE__);
  return 0;
}
