#pragma once

#include <cstddef>  // byte
#include <vector>   // vector

#include "channels/gpu/host_memory.hpp"
#include "channels/gpu/host_worker.hpp"
#include "channels/gpu/resident_kernel.hpp"

/// The code of a graph for kernels that stay (resident_kernel.hpp, host_worker.hpp): the kernels
/// themselves, and functions that they call by their addresses, for which graph they are to run is
/// known only then.
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
struct resident_kernel {
  /// Work-groups of a compute unit, if each has so many bytes of its own.
  unsigned (*groups_per_unit)(std::size_t group_bytes);
  void (*launch)(const resident_parameters& p, unsigned groups, std::size_t group_bytes,
                 stream_handle stream);
  /// The same for the worker of the host's aggregator.
  unsigned (*workers_per_unit)(std::size_t group_bytes);
  void (*launch_worker)(const host_worker_parameters& p, std::size_t group_bytes,
                        stream_handle stream);
};

/// What kernel nodes are given may be aligned to so many bytes at most.
inline constexpr std::size_t most_closure_alignment = 16;
/// What they call for a kernel node.
struct resident_code {
  const resident_kernel* kernel;
  resident_function (*address)();
  /// Makes what goes to the device of the node's arguments; null if it has none.
  void (*close)(const void* arguments, std::vector<std::byte>& to);
  std::size_t leaf_bytes;  ///< of a wavefront
};

template <class File>
CHANNELS_GPU_RESIDENT_KERNEL run_resident(const CHANNELS_GPU_PARAMETER resident_parameters p) {
  stay(p);
}
template <class File>
CHANNELS_GPU_RESIDENT_KERNEL run_host_worker(
    const CHANNELS_GPU_PARAMETER host_worker_parameters p) {
  host_worker(p, *reinterpret_cast<host_worker_memory*>(group_memory())).run();
}
/// Where `Code::run` is on the device. A variable, and not what a kernel says: ptxas needs minutes
/// for some dozens of kernels that each take one address.
template <class File, class Code>
CHANNELS_GPU_VARIABLE resident_function function_of = &Code::run;

/// Work-groups of `kernel` that a compute unit has room for, if each has so many bytes of its own,
/// which may be more than it has unasked.
template <class Kernel>
unsigned groups_per_unit(Kernel* kernel, std::size_t group_bytes) {
  (void)CHANNELS_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(kernel),
                                       CHANNELS_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                       static_cast<int>(group_bytes));
  int groups = 0;
  check(CHANNELS_GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(
            &groups, kernel, static_cast<int>(resident_items), group_bytes),
        "occupancy");
  return static_cast<unsigned>(groups);
}
template <class File>
unsigned resident_groups(std::size_t group_bytes) {
  return groups_per_unit(&run_resident<File>, group_bytes);
}
template <class File>
unsigned host_workers(std::size_t group_bytes) {
  return groups_per_unit(&run_host_worker<File>, group_bytes);
}
template <class File>
void launch_resident(const resident_parameters& p, unsigned groups, std::size_t group_bytes,
                     stream_handle stream) {
  launch(run_resident<File>, groups, resident_items, group_bytes, stream, p);
}
template <class File>
void launch_host_worker(const host_worker_parameters& p, std::size_t group_bytes,
                        stream_handle stream) {
  launch(run_host_worker<File>, 1, resident_items, group_bytes, stream, p);
}
template <class File>
inline constexpr resident_kernel kernel_of{&resident_groups<File>, &launch_resident<File>,
                                           &host_workers<File>, &launch_host_worker<File>};

template <class File, class Code>
resident_function address_of() {
  static const resident_function address = [] {
    resident_function found = nullptr;
    check(read_variable(found, function_of<File, Code>), "the address of a kernel node");
    return found;
  }();
  return address;
}

}  // namespace channels::gpu::detail
