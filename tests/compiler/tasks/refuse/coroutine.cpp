// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>
#include <coroutine>
struct task {
  struct promise_type {
    task get_return_object();
    std::suspend_never initial_suspend();
    std::suspend_never final_suspend() noexcept;
    void return_void();
    void unhandled_exception();
  };
};
int leaf(int n);
task outer(int n) {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a coroutine cannot spawn
  int x = cilk_spawn leaf(n);
  // CHECK: note: spawn in an ordinary function, which the coroutine calls
  cilk_sync;
  leaf(x);
  co_return;
}
