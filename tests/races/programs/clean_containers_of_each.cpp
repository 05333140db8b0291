#include <cilk/cilk.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>
static std::size_t work(int n) {
  std::vector<std::string> words;
  std::map<std::string, int> counts;
  for (int i = 0; i < n; ++i) words.push_back(std::string(static_cast<std::size_t>(i) * 4, 'x'));
  for (const std::string& one : words) ++counts[one];
  return counts.size();
}
int main() {
  std::size_t results[6];
  cilk_for(int i = 0; i < 6; ++i) results[i] = work(i + 2);
  std::printf("%d\n", static_cast<int>(results[5]));
  return 0;
}
