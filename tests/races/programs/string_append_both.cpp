#include <cilk/cilk.h>

#include <cstdio>
#include <string>
void add(std::string& to, const char* what) {
  to += what;  // RACE: here, here, spawn
}
int main() {
  std::string text = "a";
  cilk_spawn add(text, "bc");  // @spawn
  add(text, "a longer text than fits into the string itself");
  cilk_sync;
  std::printf("%d\n", text.empty());
  return 0;
}
