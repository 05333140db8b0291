#pragma once
#define CHANNELS_DETAIL_CODE_HERE

#if defined(CHANNELS_GRAPHS_ON_GPU)
#include "channels/gpu/device/make_channel_device.hpp"
#include "channels/gpu/device/persistent_graph_code.hpp"
#endif
#include "channels/host/node_code.hpp"

/// `code_here` says what the kernel nodes of this file are compiled for: the host alone, or a GPU
/// as well, if `channels/gpu.hpp` is included before the other headers.
namespace channels::detail {

#if defined(CHANNELS_GRAPHS_ON_GPU)
namespace {
struct this_file;
}
using code_here = gpu::detail::graph_code<gpu::detail::persistent_graph_code<this_file>>;
#else
using code_here = host_node_code;
#endif

}  // namespace channels::detail
