#pragma once

#include "templates.hpp"

#include <vector>

struct settings {
  static const int height;
  static inline int scale = 2;
};

// Members that are defined outside of their class.
template <class T>
class field {
 public:
  field(int width, int height) : width_(width), of_(width * height) {}
  T& at(int x, int y);

 private:
  int width_;
  std::vector<T> of_;
};
template <class T>
T& field<T>::at(int x, int y) {
  return of_[y * width_ + x];
}

class shape {
 public:
  virtual ~shape() = default;
  virtual int area(int n) const = 0;
  static int made;
};
class square final : public shape {
 public:
  explicit square(int side) : side_(side) {}
  int area(int n) const override { return side_ * side_ + n; }

 private:
  int side_;
};
class line final : public shape {
 public:
  explicit line(int length) : length_(length) {}
  int area(int n) const override { return length_ * lengths[n % 2]; }
  static constexpr int lengths[] = {5, 6};

 private:
  int length_;
};
