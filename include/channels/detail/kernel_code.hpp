#pragma once

/// The code of a kernel node, without its types.
namespace channels {

struct batch;
namespace host {
struct compute_unit;
}

namespace detail {

/// Runs the elements of `work` through a kernel node on one compute unit of the host. `arguments`:
/// the node's constants.
using host_kernel = void (*)(host::compute_unit&, batch& work, const void* arguments);

/// A kernel node's code for a GPU.
struct gpu_code {
  const char* device = nullptr;  ///< the value of `settings::device` that it was compiled for
  /// Starts a kernel for one batch. `batch`: what that device makes of a flight
  /// (`gpu::detail::batch_launch`).
  void (*launch)(const void* arguments, const void* batch) = nullptr;
  /// The node's code in the persistent kernel; only that device knows its type. Null if it has
  /// none.
  const void* persistent = nullptr;
};

/// A node's code: for the host, or for a GPU.
struct kernel_code {
  host_kernel run = nullptr;
  const gpu_code* on_gpu = nullptr;
};

}  // namespace detail
}  // namespace channels
