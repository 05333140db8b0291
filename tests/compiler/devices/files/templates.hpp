#pragma once

template <class T>
T twice(T value) {
  return value + value;
}
template <class T>
constexpr T thrice(T value) {
  return value * 3;
}
