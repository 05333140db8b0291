#pragma once

#include <cstdint>     // uint32_t
#include <functional>  // function
#include <memory>      // shared_ptr

namespace channels::detail {

/// What a part of the runtime does when the process is forked. A forked process has only the thread
/// that forked it, and memory as it was at that moment: locks that other threads held stay locked,
/// and what they waited for never comes.
struct fork_steps {
  std::function<void()> before;     ///< takes locks, so that what they guard is whole
  std::function<void()> in_parent;  ///< gives them back
  std::function<void()> in_child;   ///< the same, and forgets threads
};

/// While it lives, its steps are taken at each fork: `before` of what was made last comes first, so
/// a part may be locked before the parts on which it is built; the others in the order of making.
class at_fork {
 public:
  explicit at_fork(fork_steps steps);
  at_fork(const at_fork&) = delete;
  at_fork& operator=(const at_fork&) = delete;
  ~at_fork();

 private:
  fork_steps steps_;
};

/// Counts the forks between this process and the one in which it was 0. A thread that remembers
/// another number has come out of a fork, alone.
[[nodiscard]] std::uint32_t fork_generation();

/// Keeps something to the end of the process: in a forked process what threads use that are not in
/// it. Called by its only thread.
void keep_for_ever(std::shared_ptr<void> what);

}  // namespace channels::detail
