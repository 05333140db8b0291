// The part of channels/cilk/emitted.hpp that is not inline: only code that cilk2chan emits calls
// it.

#include "channels/cilk/emitted.hpp"

#include <exception>  // uncaught_exceptions

#include "runtime/host_code/worker.hpp"

namespace channels::cilk {

void guarded_frame::join_before_destructors(bool if_left) {
  const int on_their_way = std::uncaught_exceptions();
  if (on_their_way <= children->unwinding) {
    if (if_left) sync();
    return;
  }
  // The join has to throw although exceptions are on their way, so it is told of all of them.
  children->unwinding = on_their_way;
  try {
    sync();
  } catch (...) {
    if (!kept_) kept_ = std::current_exception();
  }
}

}  // namespace channels::cilk
