#pragma once

#include "channels/gpu/port/emulation/lane_functions.hpp"
#if !defined(CHANNELS_GPU_HOST_PART_APART)
#include "channels/gpu/port/emulation/lane_code.hpp"
#endif
