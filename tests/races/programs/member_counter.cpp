#include <cilk/cilk.h>

#include <cstdio>

class counter {
 public:
  void count() { ++count_; }  // RACE: here, here, loop
  int value() const { return count_; }

 private:
  int count_ = 0;
};
int main() {
  counter c;
  cilk_for(int i = 0; i < 5; ++i) c.count();  // @loop
  std::printf("%d\n", c.value() > 99);
  return 0;
}
