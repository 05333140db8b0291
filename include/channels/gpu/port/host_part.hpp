#pragma once

/// What an emulated GPU is made of is the same for all programs. cilk2chan compiles it once, with
/// the rest of the host's part (channels/gpu/compiled_program/host_part.hpp). That and units of
/// tasks define `CHANNELS_GPU_HOST_PART_APART`: headers then only declare the functions that are
/// marked with `CHANNELS_GPU_HOST`. Other sources get all from the headers.
#if defined(CHANNELS_GPU_HOST_PART_APART)
#define CHANNELS_GPU_HOST
#else
#define CHANNELS_GPU_HOST inline
#endif
