#pragma once

#include <ostream>  // ostream

#include "channels/settings.hpp"
#include "tests/channel/seed.hpp"

namespace channels::testing {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr int slower = 10;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
inline constexpr int slower = 10;
#else
inline constexpr int slower = 1;
#endif
#else
inline constexpr int slower = 1;
#endif

/// `n` repetitions, fewer where a sanitizer makes each of them slow.
constexpr int scaled(int n) { return n / slower > 0 ? n / slower : 1; }

/// Settings of a test: a known number of units, whatever the machine and the environment say.
inline settings with_units(unsigned units, readiness rule = readiness::levelized) {
  settings s;
  s.compute_units = units;
  s.rule = rule;
  return s;
}

/// Settings that decide how a run goes and must not decide what it computes.
inline settings random_shape(dice& d) {
  settings s;
  s.compute_units = d.power_of_two(0, 2);
  s.wavefront_width = d.from(8U, 64U);
  s.memory = std::uint64_t{1} << d.from(20, 24);
  s.capacity = d.power_of_two(2, 12);
  s.batch = d.once_in(2) ? d.from(1U, 64U) : 4096;
  s.done_group = d.power_of_two(0, 8);
  s.rule = d.once_in(2) ? readiness::levelized : readiness::counted;
  s.force_yield = d.once_in(2) ? 0.0 : 0.01 * d.from(1, 60);
  s.seed = d.from(std::uint64_t{1}, ~std::uint64_t{0});
  return s;
}

}  // namespace channels::testing

namespace channels {

inline std::ostream& operator<<(std::ostream& to, const settings& s) {
  return to << s.compute_units << " units, width " << s.wavefront_width << ", memory " << s.memory
            << ", capacity " << s.capacity << ", batch " << s.batch << ", done group "
            << s.done_group << (s.rule == readiness::counted ? ", counted" : ", levelized")
            << ", forced yields " << s.force_yield << ", seed " << s.seed;
}

}  // namespace channels
