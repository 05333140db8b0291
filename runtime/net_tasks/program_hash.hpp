#pragma once

#include <cstdint>  // uint64_t

namespace channels::net_tasks {

/// A number that two programs have in common only if their files are equal. 0 if the file cannot be
/// read.
[[nodiscard]] std::uint64_t hash_of_this_program();

}  // namespace channels::net_tasks
