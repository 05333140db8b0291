// The former place of <channels/detail/channel_view.hpp>.
#pragma once

#pragma message("<channels/channel_view.hpp> has moved: include <channels/detail/channel_view.hpp>")
#include <channels/detail/channel_view.hpp>
