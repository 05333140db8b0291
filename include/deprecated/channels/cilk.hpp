// The former place of <channels/cilk/tasks.hpp>.
#pragma once

#pragma message("<channels/cilk.hpp> has moved: include <channels/cilk/tasks.hpp>")
#include <channels/cilk/tasks.hpp>
