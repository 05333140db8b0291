#pragma once

#include <functional>  // function

namespace channels::detail {

/// While it lives: SIGINT and SIGTERM, if they would end the process, call `write` before. A thread
/// of its own calls it, once, and after those made later. The process then ends by the signal.
///
/// The signal's handler is ours only if it was the default when the first of these was made, so a
/// program that handles or ignores the signal is as it was. A second signal ends the process at
/// once. There is none of this in a forked child.
class at_interruption {
 public:
  explicit at_interruption(std::function<void()> write);
  at_interruption(const at_interruption&) = delete;
  at_interruption& operator=(const at_interruption&) = delete;
  /// Waits if `write` is being called.
  ~at_interruption();

 private:
  std::function<void()> write_;
};

/// The signal that is ending the process, or 0.
[[nodiscard]] int interrupted();

/// Returns unless a signal is ending the process; then it waits for the end. For whoever would end
/// the process in another way. The caller holds no lock that a `write` takes.
void give_way_to_interruption();

}  // namespace channels::detail
