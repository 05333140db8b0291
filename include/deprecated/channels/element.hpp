// The former place of <channels/detail/element.hpp>.
#pragma once

#pragma message("<channels/element.hpp> has moved: include <channels/detail/element.hpp>")
#include <channels/detail/element.hpp>
