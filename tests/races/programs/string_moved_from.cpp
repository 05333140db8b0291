#include <cilk/cilk.h>

#include <cstdio>
#include <string>
#include <utility>
std::size_t length(const std::string& of) {
  return of.size();  // @read
}
int main() {
  std::string text = "abc";
  std::size_t n = cilk_spawn length(text);  // @spawn
  std::string other = std::move(text);      // RACE: read, here, spawn
  cilk_sync;
  std::printf("%d\n", n + other.size() > 99);
  return 0;
}
