#pragma once

#include "channels/gpu/scheduler/run_control.hpp"

/// A run on some of the device's compute units. The hardware spreads wavefronts over all units, so
/// as many are started as all have room for; those on units that have no part in the run leave, and
/// the others number themselves as they come.
namespace channels::gpu::detail {

inline constexpr std::uint32_t no_wave = ~std::uint32_t{0};

/// What becomes of a unit, as the first of its wavefronts finds out.
enum class unit_part : std::uint32_t { unknown, asked, some, none };

/// One lane: whether its unit has a part in the run. The first so many to ask have.
template <class Set>
CHANNELS_GPU_FUNCTION bool unit_takes_part(const run_parameters<Set>& run) {
  std::uint32_t* const part = &run.unit_parts[compute_unit() % most_compute_units];
  // Relaxed, all of them: nothing is handed over but the words themselves.
  if (compare_exchange<order::relaxed>(part, static_cast<std::uint32_t>(unit_part::unknown),
                                       static_cast<std::uint32_t>(unit_part::asked))) {
    const bool has_part = fetch_add<order::relaxed>(&run.control->units, 1U) < run.units;
    store<order::relaxed>(part,
                          static_cast<std::uint32_t>(has_part ? unit_part::some : unit_part::none));
    return has_part;
  }
  // It is running, and about to say so.
  std::uint32_t found = 0;
  do {
    found = load<order::relaxed>(part);
  } while (found == static_cast<std::uint32_t>(unit_part::asked));
  return found == static_cast<std::uint32_t>(unit_part::some);
}

/// One lane of a wavefront that has no part in the run: stays until all that have are there, or the
/// hardware would put the next ones in its place.
template <class Set>
CHANNELS_GPU_FUNCTION void keep_place(const run_parameters<Set>& run) {
  while (load<order::relaxed>(&run.control->arrived) < run.waves &&
         load<order::relaxed>(&run.mailboxes[0].letter) != run_is_over) {
    nap();
  }
}

/// Which of the run's wavefronts this is, or `no_wave`. All lanes call it together, once.
template <class Set>
CHANNELS_GPU_INLINE std::uint32_t number_of_wave(const run_parameters<Set>& run) {
  if (run.unit_parts == nullptr) return wave_index();
  std::uint32_t number = no_wave;
  if (lane_index() == 0) {
    if (unit_takes_part(run)) {
      number = fetch_add<order::relaxed>(&run.control->arrived, 1U);
    } else {
      keep_place(run);
    }
  }
  number = of_lane(number, 0);
  return number < run.waves ? number : no_wave;
}

}  // namespace channels::gpu::detail
