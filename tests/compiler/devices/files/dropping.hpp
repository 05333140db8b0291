#pragma once
#pragma GCC system_header

// As libraries have it: what is constexpr calls what is not, for some values or not for constants.

inline int of_host(int n) { return n + 1; }

constexpr int next(int n) { return n < 0 ? n : of_host(n); }

constexpr int next_of_both(int n) {
  if (__builtin_is_constant_evaluated()) return n + 1;
  return of_host(n);
}
