#pragma once

/// The host's part of a GPU's code is the same for all programs. cilk2chan compiles it once, apart
/// from programs (channels/gpu/host_part.hpp), and defines `CHANNELS_GPU_HOST_PART_APART` for
/// these: headers then only declare the functions that are marked with `CHANNELS_GPU_HOST`. Other
/// sources get all from the headers.
#if defined(CHANNELS_GPU_HOST_PART_APART)
#define CHANNELS_GPU_HOST
#else
#define CHANNELS_GPU_HOST inline
#endif
