#include <cilk/cilk.h>

#include <cstdio>

struct animal {
  int heard = 0;
  virtual void call() = 0;
  virtual ~animal() = default;
};
struct dog : animal {
  void call() override { heard++; }  // RACE: here, here, spawn
};
int main() {
  dog d;
  animal& a = d;
  cilk_spawn a.call();  // @spawn
  a.call();
  cilk_sync;
  std::printf("%d\n", d.heard > 9);
  return 0;
}
