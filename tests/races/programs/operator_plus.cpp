#include <cilk/cilk.h>

#include <cstdio>

struct money {
  long cents = 0;
  money& operator+=(long more) {
    cents += more;  // RACE: here, here, loop
    return *this;
  }
};
int main() {
  money all;
  cilk_for(int i = 0; i < 7; ++i) {  // @loop
    all += i;
  }
  std::printf("%d\n", all.cents > 99);
  return 0;
}
