#pragma once

#include <memory>  // shared_ptr
#include <string>  // string
#include <vector>  // vector

#include "channels/detail/model.hpp"
#include "channels/scheduling.hpp"

namespace evaluate {

/// How a run through channels is scheduled.
struct schedule {
  /// Null for that of the settings.
  std::shared_ptr<const channels::scheduling_policy> policy;
  channels::predicate worth = {};  ///< of every channel; empty: always
};

/// The built-in policies by the names that `CHANNELS_POLICY` has for them, "auto" without a policy.
[[nodiscard]] std::vector<std::string> built_in_policy_names();
/// These, and other policies to compare with, which only an aggregator on the host can ask.
[[nodiscard]] std::vector<std::string> policy_names();
[[nodiscard]] std::vector<std::string> predicate_names();
/// The schedule with the policy and the predicate of these names.
[[nodiscard]] schedule make_schedule(const std::string& policy, const std::string& worth);

}  // namespace evaluate
