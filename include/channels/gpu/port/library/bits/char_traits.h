#pragma once

// On a device the library goes the ways of constants. There, from GCC 13 on, it moves letters that
// overlap from the end only if `__builtin_constant_p` says that their places can be compared.

#pragma GCC system_header

// What it includes, with the builtin as it is.
#include <bits/postypes.h>
#include <bits/stl_construct.h>

#include <compare>
#include <cstdint>
#include <cwchar>
#include <type_traits>
#pragma push_macro("__builtin_constant_p")
#undef __builtin_constant_p
#define __builtin_constant_p(x) true
#include_next <bits/char_traits.h>
#pragma pop_macro("__builtin_constant_p")
