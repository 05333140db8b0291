#pragma once

// What inserts into a string asks this first where it is no constant; not the rest, which declares
// functions of streams.

#pragma GCC system_header

#define _M_disjunct __attribute__((host, device)) _M_disjunct
#include_next <bits/basic_string.h>
#undef _M_disjunct
