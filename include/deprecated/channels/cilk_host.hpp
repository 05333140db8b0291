// The former place of <channels/cilk/spawn.hpp>.
#pragma once

#pragma message("<channels/cilk_host.hpp> has moved: include <channels/cilk/spawn.hpp>")
#include <channels/cilk/spawn.hpp>
