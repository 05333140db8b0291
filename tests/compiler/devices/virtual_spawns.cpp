// Virtual functions that spawn: a virtual call finds the plain form of the object's class, and calls
// what spawns nothing as it is. Classes with several bases, a method that only passes the call on,
// and a template of classes.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: sum::value: tasks on a device call it as a task
// CHECK: tasks: 31 of 31 functions, 1 of 1 loops
#include <cilk/cilk.h>

#include <cstdio>
#include <memory>
#include <vector>

// An expression tree, each of whose nodes evaluates its operands in parallel.
class expression {
 public:
  virtual ~expression() = default;
  virtual long value() const = 0;
  virtual int depth() const { return 1; }
  virtual void scale(long by) = 0;
};
class number : public expression {
 public:
  explicit number(long n) : n_(n) {}
  long value() const override { return n_; }
  void scale(long by) override { n_ *= by; }

 private:
  long n_;
};
class sum : public expression {
 public:
  sum(std::unique_ptr<expression> a, std::unique_ptr<expression> b)
      : a_(std::move(a)), b_(std::move(b)) {}
  long value() const override {
    long a = cilk_spawn a_->value();
    long b = b_->value();
    cilk_sync;
    return a + b;
  }
  int depth() const override {
    int a = cilk_spawn a_->depth();
    int b = b_->depth();
    cilk_sync;
    return 1 + (a > b ? a : b);
  }
  void scale(long by) override {
    cilk_spawn a_->scale(by);
    b_->scale(by);
    cilk_sync;
  }

 protected:
  std::unique_ptr<expression> a_, b_;
};
class product : public sum {
 public:
  using sum::sum;
  long value() const override {
    long a = cilk_spawn a_->value();
    long b = b_->value();
    cilk_sync;
    return a * b % 1000003;
  }
};
// Spawns nothing itself.
class negative : public expression {
 public:
  explicit negative(std::unique_ptr<expression> of) : of_(std::move(of)) {}
  long value() const override { return -of_->value(); }
  int depth() const override { return of_->depth() + 1; }
  void scale(long by) override { of_->scale(-by); }

 private:
  std::unique_ptr<expression> of_;
};
// A list of many.
class many final : public expression {
 public:
  std::vector<std::unique_ptr<expression>> parts;
  long value() const override {
    std::vector<long> values(parts.size());
    cilk_for(std::size_t i = 0; i < parts.size(); ++i) values[i] = parts[i]->value();
    long all = 0;
    for (long each : values) all = (all * 7 + each) % 1000003;
    return all;
  }
  void scale(long by) override {
    for (const auto& one : parts) cilk_spawn one->scale(by);
    cilk_sync;
  }
};

static std::unique_ptr<expression> build(int depth, unsigned& seed) {
  seed = seed * 1103515245u + 12345u;
  const unsigned kind = seed >> 16;
  if (depth == 0) return std::make_unique<number>(kind % 100);
  if (kind % 5 == 0) return std::make_unique<negative>(build(depth - 1, seed));
  if (kind % 11 == 1) {
    auto all = std::make_unique<many>();
    for (int i = 0; i < 3; ++i) all->parts.push_back(build(depth - 1, seed));
    return all;
  }
  auto a = build(depth - 1, seed);
  auto b = build(depth - 1, seed);
  if (kind % 3) return std::make_unique<sum>(std::move(a), std::move(b));
  return std::make_unique<product>(std::move(a), std::move(b));
}

// A visitor with multiple inheritance: the second base is not at the object's beginning.
struct counter {
  virtual ~counter() = default;
  long seen = 0;
};
struct walker {
  virtual ~walker() = default;
  virtual long walk(int n) = 0;
};
struct fib_walker : counter, walker {
  long walk(int n) override {
    if (n < 2) return n;
    walker* self = this;
    long a = cilk_spawn self->walk(n - 1);
    long b = self->walk(n - 2);
    cilk_sync;
    return a + b;
  }
};
// Which class it is, the template's argument says.
template <int Ways>
struct ways_walker : walker {
  long walk(int n) override {
    if (n < 2) return Ways;
    walker* self = this;
    long a = cilk_spawn self->walk(n - 2);
    long b = self->walk(n - 1);
    cilk_sync;
    return a * Ways + b;
  }
};
static long walk_all(walker& w, int n) { return w.walk(n) + 1; }

int main() {
  unsigned seed = 3;
  std::unique_ptr<expression> tree = build(11, seed);
  std::printf("value %ld, depth %d\n", tree->value(), tree->depth());
  tree->scale(3);
  std::printf("value %ld\n", tree->value());
  number alone(5);
  const expression& base = alone;
  std::printf("alone %ld\n", base.value());
  fib_walker w;
  std::printf("walked %ld\n", walk_all(w, 15));
  ways_walker<3> three;
  ways_walker<5> five;
  std::printf("ways %ld %ld\n", walk_all(three, 9), walk_all(five, 8));
  return 0;
}
