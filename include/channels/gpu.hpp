#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

/// All of channels on a GPU, for a source that nvcc or hipcc compiles. Include this before all
/// other headers of channels. It offers
///
/// - graphs (channels/graph.hpp) and calls of tasks (channels/call.hpp) through channels, on a GPU as
///   well as on the host: a `channels::runtime` then takes `CHANNELS_DEVICE=cuda` or `hip`;
/// - `channels::gpu::caller`, which runs tasks depth first with the GPU's own scheduler, without
///   channels (channels/gpu/scheduler/caller.hpp):
///
///     channels::gpu::caller<fib> call;
///     long r = call({40});
///
/// - `channels::gpu::messenger`, which sends messages between GPUs from any lane
///   (channels/gpu/active_messages/messenger.hpp).
///
/// Bodies of kernel nodes are function objects whose operator() is CHANNELS_DEVICE:
///
///     struct count_leaves {
///       template <class Lane, class Port>
///       CHANNELS_DEVICE channels::outcome operator()(Lane& lane, int n, Port& children, long& sum) const {
///         if (n <= 2) {
///           sum += 1;
///           return lane.done();
///         }
///         if (!children.reserve(2)) return lane.retry();
///         children.push(n - 1);
///         children.push(n - 2);
///         return lane.done();
///       }
///     };
///
/// What bodies and tasks point to is memory that the device can reach. Elements, frames and
/// accumulators are plain data.
#if defined(CHANNELS_DETAIL_CODE_HERE)
#error "include channels/gpu.hpp before channels/graph.hpp and channels/call.hpp"
#endif
#define CHANNELS_GRAPHS_ON_GPU

#include "channels/call.hpp"
#include "channels/gpu/active_messages/messenger.hpp"
#include "channels/gpu/scheduler/caller.hpp"
#include "channels/graph.hpp"

#endif
