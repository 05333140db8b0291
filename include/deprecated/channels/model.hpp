// The former place of <channels/detail/model.hpp>.
#pragma once

#pragma message("<channels/model.hpp> has moved: include <channels/detail/model.hpp>")
#include <channels/detail/model.hpp>
