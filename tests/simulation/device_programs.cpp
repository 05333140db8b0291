// Programs on the emulated device: wavefronts are threads, which are simulated as all others are.

#define CHANNELS_GPU_EMULATED
// Other types than those of programs.cpp, whose nodes have no code for a device.
#define random_graphs random_graphs_on_device
#include <gtest/gtest.h>

#include "channels/gpu.hpp"
#include "tests/simulation/programs.hpp"
#include "tests/support/random_graphs.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {

void run_on_device(dice& d) {
  settings how = with_units(d.from(1U, 2U));
  how.device = gpu::device_name;
  how.aggregator = d.once_in(2) ? aggregator_place::host : aggregator_place::device;
  random_graphs::check(d.from(std::uint64_t{0}, ~std::uint64_t{0}), how);
}

}  // namespace channels::testing
