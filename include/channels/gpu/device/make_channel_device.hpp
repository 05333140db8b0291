#pragma once

#include <memory>  // unique_ptr

#include "channels/detail/device.hpp"
#include "channels/gpu/port/host_part.hpp"
#include "channels/settings.hpp"

namespace channels::gpu::detail {

/// A GPU behind the device interface (`channel_device`). Sets what `options` leave to the device.
CHANNELS_GPU_HOST std::unique_ptr<channels::detail::device> make_channel_device(settings& options);

}  // namespace channels::gpu::detail

#if !defined(CHANNELS_GPU_HOST_PART_APART)
#include "channels/gpu/device/make_channel_device_code.hpp"
#endif
