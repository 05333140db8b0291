#pragma once

#include "channels/cilk/abi.h"

namespace channels::host_code {

/// The views of a strand that has none yet and is not the leftmost. Never written.
channels_cilk_views* no_views();

/// left = left + right, for every reducer of either: the views of two strands, of which the left
/// one comes first in the serial order, become those of one. Ends `right`. Null is the leftmost
/// strand. What a reduction throws goes on when all views have been dealt with.
channels_cilk_views* merge(channels_cilk_views* left, channels_cilk_views* right);

}  // namespace channels::host_code
