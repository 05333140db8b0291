#pragma once

#include <string>  // string
#include <vector>  // vector

#include "bench/evaluate/workload.hpp"

namespace evaluate {

/// Scheduling policies and predicates by name, ours and others to compare with.
[[nodiscard]] std::vector<std::string> policy_names();
[[nodiscard]] std::vector<std::string> predicate_names();
/// The schedule of those names.
[[nodiscard]] schedule make_schedule(const std::string& policy, const std::string& worth);

}  // namespace evaluate
