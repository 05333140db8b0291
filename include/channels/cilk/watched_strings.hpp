#pragma once

// cilk2chan --races includes it before a C++ file: the file gets functions of std::string of its
// own, whose accesses are looked at. Those of the C++ library are compiled already.

#include <version>

#if defined(__GLIBCXX__)
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming)
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <string>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
#else
#include <string>
#endif
