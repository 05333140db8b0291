#pragma once

#include <cstddef>  // size_t

namespace channels::detail {

/// From now on a recursion that leaves a stack which is watched says so, with the function and what
/// to do, before the process ends by SIGSEGV as it does anyway. Does nothing if the program, or a
/// sanitizer, handles that signal.
void tell_of_stack_overflow();

/// While it lives, the calling thread's stack is watched: the signal's handler has a stack of its
/// own. Does nothing if the thread has one already, or the system has no memory for it.
class watched_stack {
 public:
  watched_stack();
  watched_stack(const watched_stack&) = delete;
  watched_stack& operator=(const watched_stack&) = delete;
  ~watched_stack();

 private:
  void* memory_ = nullptr;
};

}  // namespace channels::detail
