#pragma once

namespace channels::gpu {

/// The name of this code's device in `settings::device`.
#if defined(CHANNELS_GPU_EMULATED)
inline constexpr const char* device_name = "emulated";
#elif defined(__HIP__)
inline constexpr const char* device_name = "hip";
#else
inline constexpr const char* device_name = "cuda";
#endif

}  // namespace channels::gpu
