// --emit=core shows what tasks are made of: Cilk, with members, templates and objects made plain.
// RUN: %cilk2chan --emit=core %s | grep -v CHECK | FileCheck %s
// RUN: not %cilk2chan --no-tasks --emit=core %s 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: contradict
#include <cilk/cilk.h>

#include <string>

struct tree {
  tree* left;
  std::string name;
  // CHECK: std::string all() const {
  std::string all() const {
    if (left == nullptr) return name;
    std::string below = cilk_spawn left->all();
    cilk_sync;
    return name + below;
  }
};
int main() {
  tree one = {nullptr, "one"};
  return static_cast<int>(one.all().size()) - 3;
}
// CHECK: extern "C" cilk_held<{{.*}}> all_cilk_{{.*}}(const tree *cilk_this)
// CHECK: below = _Cilk_spawn all_cilk_{{.*}}(cilk_this->left);
// CHECK-NEXT: _Cilk_sync;
