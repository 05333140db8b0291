#pragma once

#include <string>  // string

#include "runtime/aggregator/flight_record.hpp"
#include "runtime/aggregator/parked_elements.hpp"
#include "runtime/aggregator/run_context.hpp"

/// What a run says that ends for lack of room.
namespace channels::detail {

/// `f` has ended: notes in its channel what its elements asked for in vain, if they retried. Of all
/// since one of them finished it keeps what lacked most, for room may be refused at random.
void note_denial(const run_context& run, const flight_record& f);

/// A lane of `f`, which has ended, pushed an element without room for it.
[[nodiscard]] std::string describe_lost_element(const run_context& run, const flight_record& f);

/// What waits in `c` finds no room, and nothing else runs.
[[nodiscard]] std::string describe_no_room(const run_context& run, const channel_state& c,
                                           const parked_elements& parked);

}  // namespace channels::detail
