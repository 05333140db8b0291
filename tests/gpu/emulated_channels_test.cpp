// Channels and the aggregator with a GPU behind the device interface, which threads of the CPU
// stand in for.

#define CHANNELS_GPU_EMULATED
#include "gpu_channels.hpp"
#include "gpu_graphs.hpp"
#include "gpu_traces.hpp"
