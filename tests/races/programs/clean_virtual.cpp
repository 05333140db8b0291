#include <cilk/cilk.h>

#include <cstdio>
#include <memory>
#include <vector>
struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
};
struct square : shape {
  explicit square(double side) : side_(side) {}
  double area() const override { return side_ * side_; }
  double side_;
};
int main() {
  std::vector<std::unique_ptr<shape>> all;
  for (int i = 0; i < 8; ++i) all.push_back(std::make_unique<square>(i));
  std::vector<double> areas(all.size());
  cilk_for(std::size_t i = 0; i < all.size(); ++i) areas[i] = all[i]->area();
  std::printf("%g\n", areas[7]);
  return 0;
}
