#pragma once

#include <memory>  // shared_ptr
#include <string>  // string
#include <vector>  // vector

#include "channels/detail/model.hpp"
#include "channels/scheduling.hpp"

namespace evaluate {

/// How a run through channels is scheduled.
struct schedule {
  std::shared_ptr<const channels::scheduling_policy> policy = channels::bounded_breadth_first();
  channels::predicate worth = {};  ///< of every channel; empty: always
};

/// Scheduling policies and predicates by name, ours and others to compare with.
[[nodiscard]] std::vector<std::string> policy_names();
[[nodiscard]] std::vector<std::string> predicate_names();
/// The schedule of those names.
[[nodiscard]] schedule make_schedule(const std::string& policy, const std::string& worth);

}  // namespace evaluate
