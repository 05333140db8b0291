// The former place of <channels/detail/atomic.hpp>.
#pragma once

#pragma message("<channels/atomic.hpp> has moved: include <channels/detail/atomic.hpp>")
#include <channels/detail/atomic.hpp>
