// The former place of <channels/gpu/scheduler/caller.hpp>.
#pragma once

#pragma message( \
    "<channels/gpu/call.hpp> has moved: include <channels/gpu.hpp>, before all others, or <channels/gpu/scheduler/caller.hpp>")
#include <channels/gpu/scheduler/caller.hpp>
