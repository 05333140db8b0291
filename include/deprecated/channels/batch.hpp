// The former place of <channels/detail/batch.hpp>.
#pragma once

#pragma message("<channels/batch.hpp> has moved: include <channels/detail/batch.hpp>")
#include <channels/detail/batch.hpp>
