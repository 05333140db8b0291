#pragma once

#include <string_view>  // string_view

/// What the launchers of MPI tell the processes that they start.
namespace channels::detail {

/// Whether mpirun, or another program that starts ranks, has started this process. MPI itself is
/// slow to start, and a program that runs alone does without.
[[nodiscard]] bool is_of_a_job();

/// The rank of this process, as its launcher wrote it; "0" if no launcher has.
[[nodiscard]] std::string_view rank_in_job();

}  // namespace channels::detail
