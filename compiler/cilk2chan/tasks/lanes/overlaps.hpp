#pragma once

#include "tasks/lanes/lane_loop.hpp"

namespace cilk2chan {

/// Looks for what one iteration stores and another one uses. Notes the accesses that have to be
/// compared when the loop begins. Returns what two iterations are known to share, or what cannot be
/// compared; empty if there is no such thing.
[[nodiscard]] std::string find_overlaps(const program& source, const variable_usage& usage,
                                        lane_loop& loop);

/// Whether the code reads through a pointer, which has to be valid for that.
[[nodiscard]] bool reads_through_pointer(const clang::Stmt* code);

/// Whether the loop's range is the same whenever it is come to, and known before.
[[nodiscard]] bool is_known(const counted_loop& loop, address_reader& reader);

/// Whether neighbouring iterations store to, or else read, neighbouring memory.
[[nodiscard]] bool stores_nearby(const program& source, const lane_loop& loop);

}  // namespace cilk2chan
