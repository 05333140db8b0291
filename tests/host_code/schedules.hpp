#pragma once

#include <gtest/gtest.h>

#include "channels/cilk/spawn.hpp"
#include "channels/settings.hpp"
#include "tests/channel/seed.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {

inline const char* name(giving g) {
  switch (g) {
    case giving::always: return "always";
    case giving::never: return "never";
    case giving::random: return "random";
    default: return "auto";
  }
}

/// Calls `body()` with this many workers, and children given in this way.
template <class Body>
void with_schedule(unsigned workers, giving give, std::uint64_t seed, Body body) {
  settings s = with_units(workers);
  s.give = give;
  s.seed = seed;
  SCOPED_TRACE(::testing::Message()
               << workers << " workers, giving " << name(give) << ", seed " << seed);
  cilk::use(s);
  body();
}

/// Calls `body()` with one to four workers and all ways of giving, `repetitions` times with the
/// random one. Stops at the first failure.
template <class Body>
void for_each_schedule(int repetitions, Body body) {
  for (const giving give : {giving::automatic, giving::always, giving::never}) {
    for (unsigned workers = 1; workers <= 4; ++workers) {
      with_schedule(workers, give, 1, body);
      if (::testing::Test::HasFailure()) return;
    }
  }
  for_each_seed(scaled(repetitions), [&](std::uint64_t seed) {
    with_schedule(static_cast<unsigned>(seed % 4) + 1, giving::random, seed, body);
  });
}

}  // namespace channels::testing
