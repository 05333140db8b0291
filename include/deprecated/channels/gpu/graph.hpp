// The former place of <channels/gpu.hpp>.
#pragma once

#pragma message("<channels/gpu/graph.hpp> has moved: include <channels/gpu.hpp>")
#include <channels/gpu.hpp>
