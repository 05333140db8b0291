#pragma once

#include <cstddef>  // size_t
#include <string>   // string, to_string
#include <vector>   // vector

#include "channels/cilk/device_call.hpp"
#include "channels/gpu/scheduler/chosen_gpus.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// Whether each GPU has an address of its own for a variable that device code binds
/// (CHANNELS_CILK_ADDRESS). For the emulated device it is a variable of the host.
#if defined(CHANNELS_GPU_EMULATED)
inline constexpr bool each_gpu_binds = false;
#else
inline constexpr bool each_gpu_binds = true;
#endif

/// The GPUs that calls of the program use. The first has the program's memory, and runs all calls
/// that one GPU runs. The caller of this holds the program's runtime, and has seen that there is a
/// GPU. Throws `channels::error` if the settings name one that is not there or is not reached.
inline const std::vector<int>& program_gpus() {
  static const std::vector<int> all = [] {
    const settings& options = program_settings();
    std::vector<int> chosen = gpu::detail::chosen_gpus(options.devices);
    if (options.order != run_order::channels) return chosen;
    // Threads of the runtime call the vendor's interface, too, for its first GPU.
    if (chosen.at(0) != 0) {
      throw error("CHANNELS_DEVICES=" + options.devices +
                  ": runs through channels use GPU 0; the vendor's variable, such as "
                  "CUDA_VISIBLE_DEVICES, says which that is");
    }
    chosen.resize(1);
    return chosen;
  }();
  return all;
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
