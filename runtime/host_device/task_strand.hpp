#pragma once

#include "channels/cilk/abi.h"

namespace channels::detail {

/// The strand of host code that a kernel node calls. It has no views: tasks run in no serial order,
/// so of reducers that are declared outside it can have neither the variable itself nor a view that
/// would come to its place. Never written.
inline constinit channels_cilk_views task_strand{nullptr, nullptr};

}  // namespace channels::detail
