#include "runtime/threads/forked.hpp"

#include <cstdio>   // fprintf
#include <cstdlib>  // _Exit

#include "runtime/threads/at_fork.hpp"

namespace channels::detail {

void end_if_forked_since(std::uint32_t generation, const char* what) {
  if (fork_generation() == generation) return;
  std::fprintf(
      stderr,
      "channels: fork: %s goes on in the process that was forked inside a parallel part, and the "
      "threads that it needs are in the parent process: call exec or _exit there, fork outside of "
      "parallel parts, or run with CHANNELS_COMPUTE_UNITS=1\n",
      what);
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace channels::detail
