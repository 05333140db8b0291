// Random small graphs on the host's device: what a plain worklist finds, or an error that says why.

#include "tests/support/random_graphs.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

TEST(random_graphs, find_what_a_worklist_finds) {
  for_each_seed(scaled(500), [](std::uint64_t seed) {
    dice d(seed);
    settings how = with_units(d.power_of_two(0, 2));
    how.wavefront_width = d.from(8U, 64U);
    random_graphs::check(d.from(std::uint64_t{0}, ~std::uint64_t{0}), how);
  });
}

}  // namespace
}  // namespace channels::testing
