#pragma once

/// All that device code asks of a vendor.

#include "channels/gpu/port/clock.hpp"
#include "channels/gpu/port/collectives.hpp"
#include "channels/gpu/port/compiler.hpp"
#include "channels/gpu/port/fences.hpp"
#include "channels/gpu/port/intrinsics.hpp"
