#pragma once

#include <cstdint>  // uint32_t

namespace channels::detail {

/// Ends this process with a message if it was forked since `fork_generation()` was `generation`:
/// for a thread that would go on with what other threads do, and has come out of the fork alone.
/// `what`: what would go on.
void end_if_forked_since(std::uint32_t generation, const char* what);

}  // namespace channels::detail
