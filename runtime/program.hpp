#pragma once

#include "channels/settings.hpp"

namespace channels::cilk {

/// The settings of a compiled Cilk program, from its environment. A mistake in them ends the
/// program with status 1 and a message; `CHANNELS_HELP` prints them and ends it with status 0.
[[nodiscard]] const settings& program_settings();

}  // namespace channels::cilk
