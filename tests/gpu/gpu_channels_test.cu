// Channels and the aggregator with a GPU behind the device interface.

#include "gpu_channels.hpp"
#include "gpu_graphs.hpp"
#include "gpu_traces.hpp"
