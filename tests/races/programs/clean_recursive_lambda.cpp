#include <cilk/cilk.h>

#include <cstdio>
#include <functional>
int main() {
  std::function<int(int)> fib = [&fib](int n) {
    if (n < 2) return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
  };
  std::printf("%d\n", fib(8));
  return 0;
}
