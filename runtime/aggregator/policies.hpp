#pragma once

#include <memory>  // unique_ptr

#include "channels/detail/model.hpp"
#include "channels/scheduling.hpp"
#include "channels/settings.hpp"

namespace channels::detail {

/// The policy of `options` for runs of `model`; the one place that says what `auto` chooses.
[[nodiscard]] std::unique_ptr<scheduling_policy> policy_of(const settings& options,
                                                           const graph_model& model);

}  // namespace channels::detail
