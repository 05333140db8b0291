#include <cilk/cilk.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>
int main() {
  std::map<int, std::string> names{{1, "one"}, {2, "two"}};
  std::vector<std::string> out(6);
  cilk_for(int i = 0; i < 6; ++i) out[i] = names.at(i % 2 + 1) + "!";
  std::printf("%s\n", out[5].c_str());
  return 0;
}
