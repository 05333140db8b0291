// Algorithms that take functions: map, reduce and invoke over lambdas, function objects and
// overloads in a namespace. Lambdas that capture are spawned, and lambdas spawn.
#include <cilk/cilk.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "timing.h"

namespace par {

template <class F>
void invoke(F&& f) {
  f();
}
template <class F, class... Rest>
void invoke(F&& f, Rest&&... rest) {
  cilk_spawn f();
  invoke(rest...);
}

template <class F, class G>
void both(F f, G g) {
  cilk_spawn f();
  g();
  cilk_sync;
}

template <std::random_access_iterator It, class F>
void for_each(It begin, It end, const F& f) {
  if (end - begin > 512) {
    const It middle = begin + (end - begin) / 2;
    cilk_spawn par::for_each(begin, middle, f);
    par::for_each(middle, end, f);
    return;
  }
  while (begin != end) f(*begin++);
}

template <class It, class Map, class Plus>
auto map_reduce(It begin, It end, Map map, Plus plus) -> std::decay_t<decltype(map(*begin))> {
  if (end - begin == 1) return map(*begin);
  const It middle = begin + (end - begin) / 2;
  auto left = cilk_spawn map_reduce(begin, middle, map, plus);
  auto right = map_reduce(middle, end, map, plus);
  cilk_sync;
  return plus(std::move(left), std::move(right));
}

}  // namespace par

namespace measure {
struct point {
  double x, y;
};
// Three overloads, all spawned below.
static double size(double x) { return x < 0 ? -x : x; }
static double size(const point& p) { return p.x * p.x + p.y * p.y; }
static double size(const std::string& text) { return static_cast<double>(text.size()); }
}  // namespace measure

class polynomial {
 public:
  explicit polynomial(std::vector<long> coefficients) : c_(std::move(coefficients)) {}
  long operator()(long x) const { return value(0, c_.size(), x).first; }

 private:
  // The value of the coefficients from `begin` to `end`, and x to their number.
  std::pair<long, long> value(std::size_t begin, std::size_t end, long x) const {
    if (end - begin == 1) return {c_[begin], x};
    const std::size_t middle = (begin + end) / 2;
    std::pair<long, long> low = cilk_spawn value(begin, middle, x);
    auto [high, power] = value(middle, end, x);
    cilk_sync;
    return {(low.first + low.second * high) % 1000003, low.second * power % 1000003};
  }
  std::vector<long> c_;
};

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 20000;
  std::vector<long> v(n);
  std::iota(v.begin(), v.end(), 1L);

  timing_begin();
  const long sum = par::map_reduce(
      v.begin(), v.end(), [](long x) { return x * x % 1000; },
      [](long a, long b) { return a + b; });
  const std::string digits = par::map_reduce(
      v.begin(), v.begin() + (n < 60 ? n : 60), [](long x) { return std::to_string(x % 10); },
      std::plus<>());

  long evens = 0, odds = 0;
  par::both(
      [&evens, &v] {
        for (long x : v) evens += x % 2 == 0;
      },
      [&] {
        for (long x : v) odds += x % 2;
      });

  std::array<long, 3> parts{};
  par::invoke([&] { parts[0] = sum % 7; }, [&parts] { parts[1] = 5; },
              [&] { parts[2] = digits.size(); });

  const int scale = n % 2 + 3;
  par::for_each(v.begin(), v.end(), [scale](long& x) { x = x * scale + 1; });

  auto fib = [](auto self, int k) -> int {
    if (k < 2) return k;
    int a = cilk_spawn self(self, k - 1);
    int b = self(self, k - 2);
    cilk_sync;
    return a + b;
  };
  const int fib15 = fib(fib, 15);

  const polynomial p(std::vector<long>(v.begin(), v.begin() + (n < 100 ? n : 100)));
  const long at_two = cilk_spawn p(2);
  double sizes[3];
  sizes[0] = cilk_spawn measure::size(-2.5);
  sizes[1] = cilk_spawn measure::size(measure::point{3, 4});
  sizes[2] = cilk_spawn measure::size("a temporary, alive until its spawn has read it");
  cilk_sync;
  timing_end();

  std::printf("sum %ld, digits %s, %ld even, %ld odd, parts %ld %ld %ld\n", sum, digits.c_str(),
              evens, odds, parts[0], parts[1], parts[2]);
  std::printf("last %ld, fib(15) = %d, p(2) = %ld, sizes %.2f %.2f %.2f\n", v.back(), fib15, at_two,
              sizes[0], sizes[1], sizes[2]);
  return evens + odds == n && fib15 == 610 ? 0 : 1;
}
