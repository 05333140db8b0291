#pragma once

#include <string>  // string, to_string
#include <vector>  // vector

#include "channels/detail/gpu_list.hpp"
#include "channels/error.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/scheduler/peer_block.hpp"

/// Which GPUs of this process a run uses. All functions are for the host.
namespace channels::gpu::detail {

static_assert(most_peers == most_gpus);

/// "GPU 1 (NVIDIA H100 80GB HBM3)".
inline std::string full_name_of_gpu(int gpu) {
  return "GPU " + std::to_string(gpu) + " (" + name_of_gpu(gpu) + ")";
}

/// Whether lanes of `gpu` reach the memory of `peer`, with atomics.
inline bool reaches(int gpu, int peer) {
  int can = 0;
  int atomics = 0;
  check(CHANNELS_GPU(DeviceCanAccessPeer)(&can, gpu, peer), "access to other GPUs");
  if (can == 0) return false;
  check(CHANNELS_GPU(DeviceGetP2PAttribute)(&atomics, CHANNELS_GPU(DevP2PAttrNativeAtomicSupported),
                                            gpu, peer),
        "access to other GPUs");
  return atomics != 0;
}
inline bool reach_each_other(int a, int b) { return reaches(a, b) && reaches(b, a); }

/// The GPUs that `list`, of `settings::devices`, names: numbers as the vendor counts those that are
/// visible. An empty list stands for all that reach each other's memory, the current one first; on
/// the emulated device for the current one. Empty if there is no GPU, or no driver for it. Throws
/// `channels::error`, which names the GPU, if one is not there or cannot be reached by another.
inline std::vector<int> chosen_gpus(const std::string& list) {
  int all = 0;
  if (CHANNELS_GPU(GetDeviceCount)(&all) != success || all == 0) {
    (void)CHANNELS_GPU(GetLastError)();
    return {};
  }
  const auto read = channels::detail::read_gpu_list(list);
  const std::string setting = "CHANNELS_DEVICES=" + list + ": ";
  if (!read) throw error(setting + "expected how many GPUs, such as 2, or which, such as 0,1");
  std::vector<int> chosen;
  if (read->is_empty()) {
    chosen.push_back(current_gpu());
    for (int gpu = 0; gpu < all && uses_all_gpus && chosen.size() < most_peers; ++gpu) {
      bool reached = gpu != chosen[0];
      for (const int other : chosen) reached = reached && reach_each_other(gpu, other);
      if (reached) chosen.push_back(gpu);
    }
    return chosen;
  }
  const auto add = [&](unsigned number) {
    if (number >= static_cast<unsigned>(all)) {
      throw error(setting + "there is no GPU " + std::to_string(number) + "; this process sees " +
                  std::to_string(all) + ", counted from 0");
    }
    const int gpu = static_cast<int>(number);
    for (const int other : chosen) {
      if (reach_each_other(gpu, other)) continue;
      throw error(setting + full_name_of_gpu(gpu) + " and " + full_name_of_gpu(other) +
                  " do not reach each other's memory with atomics; name GPUs that NVLink or its "
                  "like connects");
    }
    chosen.push_back(gpu);
  };
  const std::size_t size = read->named.empty() ? read->count : read->named.size();
  if (size > most_peers)
    throw error(setting + "a run uses " + std::to_string(most_peers) + " GPUs at most");
  for (unsigned i = 0; i < read->count; ++i) add(i);
  for (const unsigned number : read->named) add(number);
  return chosen;
}

/// Gives each of `gpus` access to the memory of the others. Throws `channels::error` if that fails.
inline void connect(const std::vector<int>& gpus) {
  for (const int gpu : gpus) {
    const on_gpu here(gpu);
    for (const int peer : gpus) {
      if (peer == gpu) continue;
      const error_code code = CHANNELS_GPU(DeviceEnablePeerAccess)(peer, 0);
      if (code == CHANNELS_GPU(ErrorPeerAccessAlreadyEnabled)) {
        // Else the next look for errors of a kernel would find this one.
        (void)CHANNELS_GPU(GetLastError)();
      } else if (code != success) {
        throw error("device: " + full_name_of_gpu(gpu) + " gets no access to the memory of " +
                    full_name_of_gpu(peer) + ": " + CHANNELS_GPU(GetErrorString)(code));
      }
    }
  }
}

}  // namespace channels::gpu::detail
