#include <cilk/cilk.h>

#include <cstdio>
#include <iostream>
#include <sstream>
int main() {
  cilk_for(int i = 0; i < 4; ++i) {
    std::ostringstream line;
    line << "line " << 7 << '\n';
    std::cout << line.str();
    std::cout << 12 << std::endl;
  }
  return 0;
}
