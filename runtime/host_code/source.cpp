// What the C++ that cilk2chan emits needs of the runtime, and nobody else.

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
  // To the join it is to look like an ordinary one, which throws.
  children->unwinding = on_their_way;
  try {
    sync();
  } catch (...) {
    if (!kept_) kept_ = std::current_exception();
  }
}

}  // namespace channels::cilk
