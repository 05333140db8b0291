#pragma once

// The destructors of std::unique_ptr are constexpr from C++23 on, and so what a task may call. The
// library's header asks for the language's version, and gets another answer than the rest.

#pragma GCC system_header

#if __cplusplus == 202002L && defined(__cpp_constexpr_dynamic_alloc)
// What it includes, with the version as it is.
#include <bits/c++config.h>
#include <bits/functional_hash.h>
#include <bits/stl_function.h>
#include <debug/assertions.h>

#include <compare>
#include <ostream>
#include <tuple>
#include <type_traits>
#undef __cplusplus
#define __cplusplus 202100L
#include_next <bits/unique_ptr.h>
#undef __cplusplus
#define __cplusplus 202002L
#else
#include_next <bits/unique_ptr.h>
#endif
