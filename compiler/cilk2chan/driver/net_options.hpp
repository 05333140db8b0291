#pragma once

#include "driver/commands.hpp"

#include <optional>
#include <string>

namespace cilk2chan {

/// What links a program of --net=mpi, before `library`: MPI's libraries, and ours beside `library`,
/// which takes the place of `main`. Nothing, and an error, if one of them is missing.
[[nodiscard]] std::optional<arguments> net_libraries(const std::string& library);

}  // namespace cilk2chan
