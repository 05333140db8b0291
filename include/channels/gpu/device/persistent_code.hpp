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

/// What a persistent kernel is started for: the device aggregator with its batch workers, or the
/// worker of the host's aggregator.
struct persistent_parameters {
  device_aggregator_parameters aggregator;
  small_batch_worker_parameters worker;
  bool is_worker;
};
/// The persistent kernel of one file.
struct persistent_kernel {
  /// Work-groups of a compute unit, if each has so many bytes of its own.
  unsigned (*groups_per_unit)(std::size_t group_bytes);
  void (*launch)(const persistent_parameters& p, unsigned groups, std::size_t group_bytes,
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

/// One kernel for both: ptxas compiles all functions that may be called by address again for each
/// kernel that calls any, which is most of its time.
template <class File>
CHANNELS_GPU_PERSISTENT_KERNEL run_persistent(
    const CHANNELS_GPU_PARAMETER persistent_parameters p) {
  if (p.is_worker) {
    small_batch_worker(p.worker, *reinterpret_cast<small_batch_worker_memory*>(group_memory()))
        .run();
  } else {
    run_persistent_group(p.aggregator);
  }
}
/// Where `Code::run` is on the device. A variable, and not what a kernel says: ptxas needs minutes
/// for some dozens of kernels that each take one address.
template <class File, class Code>
CHANNELS_GPU_VARIABLE node_function function_of = &Code::run;

/// Lets work-groups of the kernel have so many bytes, which may be more than they have unasked.
template <class File>
void allow_group_memory(std::size_t group_bytes) {
  (void)CHANNELS_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(&run_persistent<File>),
                                       CHANNELS_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                       static_cast<int>(group_bytes));
}
/// Work-groups that a compute unit has room for, if each has so many bytes of its own.
template <class File>
unsigned persistent_groups(std::size_t group_bytes) {
  allow_group_memory<File>(group_bytes);
  int groups = 0;
  check(CHANNELS_GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(
            &groups, reinterpret_cast<const void*>(&run_persistent<File>),
            static_cast<int>(persistent_items), group_bytes),
        "occupancy");
  return static_cast<unsigned>(groups);
}
template <class File>
void launch_persistent(const persistent_parameters& p, unsigned groups, std::size_t group_bytes,
                       stream_handle stream) {
  // The last start may have been for the other purpose, with less memory.
  allow_group_memory<File>(group_bytes);
  launch(run_persistent<File>, groups, persistent_items, group_bytes, stream, p);
}
template <class File>
inline constexpr persistent_kernel kernel_of{&persistent_groups<File>, &launch_persistent<File>};

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
