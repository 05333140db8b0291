#pragma once

#include <memory>  // unique_ptr

#include "channels/detail/device.hpp"
#include "channels/settings.hpp"

namespace channels::detail {

/// Makes the device that `settings::device` names: the host, or one that `register_device` made
/// known. May change `options` to what the device can do. Throws `channels::error` if there is no
/// such device in this program, or it cannot be had. Any thread may call it.
[[nodiscard]] std::unique_ptr<device> make_device(settings& options);

}  // namespace channels::detail
