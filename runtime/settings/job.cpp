#include "runtime/settings/job.hpp"

#include <array>    // array
#include <cstdlib>  // getenv

namespace channels::detail {
namespace {

/// Of Open MPI, of PMIx, and of PMI, which MPICH's launcher and Slurm have.
constexpr std::array variables_of_rank = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
/// Those that say only that there are ranks.
constexpr std::array variables_of_job = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};

}  // namespace

bool is_of_a_job() {
  for (const auto& names : {variables_of_rank, variables_of_job}) {
    for (const char* const one : names) {
      if (std::getenv(one) != nullptr) return true;
    }
  }
  return false;
}

std::string_view rank_in_job() {
  for (const char* const one : variables_of_rank) {
    if (const char* const rank = std::getenv(one)) return rank;
  }
  return "0";
}

}  // namespace channels::detail
