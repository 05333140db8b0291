#pragma once

#include "channels/cilk/abi.h"

namespace channels::host_code {

/// Stands for the views of a strand that has no views yet and is not the leftmost strand. It is
/// never written.
channels_cilk_views* no_views();

/// left = left + right for every reducer of either strand. The left strand comes first in the
/// serial order. Ends `right`. Null means the leftmost strand. An exception of a reduction is
/// thrown when all views have been reduced.
channels_cilk_views* merge(channels_cilk_views* left, channels_cilk_views* right);

}  // namespace channels::host_code
