#include <cilk/cilk.h>

#include <cstdio>
#include <memory>
#include <utility>
struct list {
  int value;
  std::unique_ptr<list> next;
};
static int length(std::unique_ptr<list> of) {
  int n = 0;
  for (const list* at = of.get(); at != nullptr; at = at->next.get()) ++n;
  return n;
}
static std::unique_ptr<list> make(int n) {
  std::unique_ptr<list> made;
  for (int i = 0; i < n; ++i) made = std::unique_ptr<list>(new list{i, std::move(made)});
  return made;
}
int main() {
  int a = cilk_spawn length(make(5));
  int b = length(make(7));
  cilk_sync;
  std::printf("%d\n", a + b);
  return 0;
}
