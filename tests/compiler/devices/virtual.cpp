// Virtual calls in tasks, of objects that the host has made: classes with several bases, in unnamed namespaces, final, with
// members defined in and outside of them, private ones; calls through pointers, references, smart pointers, and in members;
// calls that name the class.
// RUN: %device-run-and-compare %s -std=c++20
#include <cilk/cilk.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

class shape {
 public:
  virtual ~shape() = default;
  virtual double area() const = 0;
  virtual double scaled(double by) const { return area() * by; }
  virtual const char* name() const { return "shape"; }
  // The tasks call what overrides it, and not this.
  virtual bool odd() const { return std::getenv("NOWHERE") != nullptr; }
  void grow(double by) { change(by); }
  double twice() const { return 2 * area() + this->scaled(0.5); }

 protected:
  virtual void change(double by) = 0;
};

namespace {
class circle final : public shape {
 public:
  explicit circle(double r) : r_(r) {}
  double area() const override { return 3 * r_ * r_; }
  const char* name() const override { return "circle"; }
  bool odd() const override { return r_ > 5; }

 private:
  void change(double by) override { r_ += by; }
  double r_;
};

struct labelled {
  virtual int label() const { return 7; }
  virtual int label(int more) { return number += more; }
  int number = 3;
};
class box : public labelled, public shape {
 public:
  box(double w, double h) : w_(w), h_(h) {}
  double area() const override;
  double scaled(double by) const override { return shape::scaled(by) + 1; }
  int label() const override { return number + 1; }
  bool odd() const override { return false; }

 protected:
  void change(double by) override {
    w_ += by;
    h_ -= by;
  }
  double w_, h_;
};
double box::area() const { return w_ * h_; }
class cube : public box {
 public:
  explicit cube(double a) : box(a, a) {}
  double area() const override { return 6 * w_ * h_; }
  using labelled::label;
  int label(int more) override { return number -= more; }
};
}  // namespace

struct square : shape {
  double a = 2;
  double area() const override;
  void change(double by) override;
  bool odd() const override { return false; }
};
double square::area() const { return a * a; }
void square::change(double by) { a *= by; }

struct owner {
  shape* held;
  shape* operator->() const { return held; }
};

static double total(shape* const* all, int n) {
  if (n == 1) {
    shape& one = *all[0];
    const owner own{all[0]};
    own->grow(0.5);
    const circle* round = one.name()[0] == 'c' ? static_cast<const circle*>(&one) : nullptr;
    return one.area() + own->scaled(2) + (*all)->scaled(3) + one.name()[1] + one.twice() + (round != nullptr ? round->area() + round->odd() : 1);
  }
  double a = cilk_spawn total(all, n / 2);
  double b = total(all + n / 2, n - n / 2);
  cilk_sync;
  return a + b;
}

int main() {
  std::vector<std::unique_ptr<shape>> all;
  std::vector<box*> boxes;
  std::vector<shape*> pointers;
  for (int i = 0; i < 100; ++i) {
    switch (i % 4) {
      case 0: all.push_back(std::make_unique<circle>(i)); break;
      case 1: all.push_back(std::make_unique<square>()); break;
      case 2: all.emplace_back(boxes.emplace_back(new box(i, 2))); break;
      default: all.emplace_back(boxes.emplace_back(new cube(i)));
    }
  }
  for (const auto& one : all) pointers.push_back(one.get());
  const double in_tasks = total(pointers.data(), 100);
  std::vector<long> labels(boxes.size());
  cilk_for (std::size_t i = 0; i < boxes.size(); ++i) {
    labelled* one = boxes[i];
    labels[i] = one->label(2) * 100 + one->label() + static_cast<long>(boxes[i]->area()) + boxes[i]->labelled::label();
  }
  double after = 0;
  for (const auto& one : all) after += one->area() + one->odd();
  long sum = 0;
  for (long one : labels) sum += one;
  std::printf("%.2f %.2f %ld\n", in_tasks, after, sum);
  return 0;
}
