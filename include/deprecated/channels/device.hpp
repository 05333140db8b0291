// The former place of <channels/detail/device.hpp>.
#pragma once

#pragma message("<channels/device.hpp> has moved: include <channels/detail/device.hpp>")
#include <channels/detail/device.hpp>
