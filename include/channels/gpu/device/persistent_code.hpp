#pragma once

#include <cstddef>  // byte
#include <vector>   // vector

#include "channels/gpu/channels/small_batch_worker.hpp"
#include "channels/gpu/device_aggregator/persistent_kernel.hpp"
#include "channels/gpu/port/memory.hpp"

/// The code of a graph for kernels that stay (device_aggregator/persistent_kernel.hpp,
/// channels/small_batch_worker.hpp): the kernels themselves, and the functions that they call. They
/// call these by address, because a kernel learns only when it runs which graph it is to run.
namespace channels::gpu::detail {

/// Arguments of a kernel node, in the device's memory.
template <class... Arguments>
struct argument_list;
template <>
struct argument_list<> {
  template <class To, class... Before>
  CHANNELS_GPU_INLINE void pass(const To& to, const Before&... before) const {
    to(before...);
  }
};
template <class First, class... Rest>
struct argument_list<First, Rest...> {
  First first;
  argument_list<Rest...> rest;

  argument_list(const First& a, const Rest&... others) : first(a), rest{others...} {}
  template <class To, class... Before>
  CHANNELS_GPU_INLINE void pass(const To& to, const Before&... before) const {
    rest.pass(to, before..., first);
  }
};

/// The kernels of one file.
struct persistent_kernel {
  /// Work-groups of a compute unit, if each has so many bytes of its own.
  unsigned (*groups_per_unit)(std::size_t group_bytes);
  void (*launch)(const device_aggregator_parameters& p, unsigned groups, std::size_t group_bytes,
                 stream_handle stream);
  /// The same for the worker of the host's aggregator.
  unsigned (*workers_per_unit)(std::size_t group_bytes);
  void (*launch_worker)(const small_batch_worker_parameters& p, std::size_t group_bytes,
                        stream_handle stream);
};

/// What kernel nodes are given may be aligned to so many bytes at most.
inline constexpr std::size_t most_closure_alignment = 16;
/// What persistent kernels call for a kernel node.
struct persistent_code {
  const persistent_kernel* kernel;
  node_function (*address)();
  /// Makes the node's closure for the device from its arguments; null if it has none.
  void (*close)(const void* arguments, std::vector<std::byte>& to);
  std::size_t leaf_bytes;  ///< of a wavefront
};

template <class File>
CHANNELS_GPU_PERSISTENT_KERNEL run_persistent(
    const CHANNELS_GPU_PARAMETER device_aggregator_parameters p) {
  run_persistent_group(p);
}
template <class File>
CHANNELS_GPU_PERSISTENT_KERNEL run_small_batch_worker(
    const CHANNELS_GPU_PARAMETER small_batch_worker_parameters p) {
  small_batch_worker(p, *reinterpret_cast<small_batch_worker_memory*>(group_memory())).run();
}
/// Where `Code::run` is on the device. A variable, and not what a kernel says: ptxas needs minutes
/// for some dozens of kernels that each take one address.
template <class File, class Code>
CHANNELS_GPU_VARIABLE node_function function_of = &Code::run;

/// Work-groups of `kernel` that a compute unit has room for, if each has so many bytes of its own,
/// which may be more than it has unasked.
template <class Kernel>
unsigned groups_per_unit(Kernel* kernel, std::size_t group_bytes) {
  (void)CHANNELS_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(kernel),
                                       CHANNELS_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                       static_cast<int>(group_bytes));
  int groups = 0;
  check(CHANNELS_GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(
            &groups, kernel, static_cast<int>(persistent_items), group_bytes),
        "occupancy");
  return static_cast<unsigned>(groups);
}
template <class File>
unsigned persistent_groups(std::size_t group_bytes) {
  return groups_per_unit(&run_persistent<File>, group_bytes);
}
template <class File>
unsigned small_batch_workers(std::size_t group_bytes) {
  return groups_per_unit(&run_small_batch_worker<File>, group_bytes);
}
template <class File>
void launch_persistent(const device_aggregator_parameters& p, unsigned groups,
                       std::size_t group_bytes, stream_handle stream) {
  launch(run_persistent<File>, groups, persistent_items, group_bytes, stream, p);
}
template <class File>
void launch_small_batch_worker(const small_batch_worker_parameters& p, std::size_t group_bytes,
                               stream_handle stream) {
  launch(run_small_batch_worker<File>, 1, persistent_items, group_bytes, stream, p);
}
template <class File>
inline constexpr persistent_kernel kernel_of{&persistent_groups<File>, &launch_persistent<File>,
                                             &small_batch_workers<File>,
                                             &launch_small_batch_worker<File>};

template <class File, class Code>
node_function address_of() {
  static const node_function address = [] {
    node_function found = nullptr;
    check(read_variable(found, function_of<File, Code>), "the address of a kernel node");
    return found;
  }();
  return address;
}

}  // namespace channels::gpu::detail
