#pragma once

#include <memory>  // make_unique, unique_ptr

#include "channels/gpu/device/channel_device.hpp"
#include "channels/runtime.hpp"

namespace channels::gpu::detail {

/// A GPU behind the device interface (`channel_device`). Sets what `options` leave to the device.
inline std::unique_ptr<channels::detail::device> make_channel_device(settings& options) {
  auto made = std::make_unique<channel_device>(options);
  options.wavefront_width = made->width();
  if (options.memory == 0) options.memory = memory_for_channels();
  return made;
}

/// Makes the device known to the runtime. What runs before `main` may want that before the
/// constant below is made.
inline bool know_device() {
  static const bool known = channels::detail::register_device(device_name, &make_channel_device);
  return known;
}
inline const bool device_is_known = know_device();

}  // namespace channels::gpu::detail
