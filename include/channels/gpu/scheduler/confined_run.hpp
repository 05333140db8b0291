#pragma once

#include "channels/gpu/scheduler/run_control.hpp"

/// A run on some of the device's compute units (`settings::compute_units`). The hardware spreads
/// wavefronts over all units. So the host starts as many as all units have room for; those on units
/// that do not take part leave, and the others number themselves as they start.
namespace channels::gpu::detail {

inline constexpr std::uint32_t no_wave = ~std::uint32_t{0};

/// Whether a compute unit takes part. The first of its wavefronts asks for it.
enum class unit_part : std::uint32_t { unknown, asked, some, none };

/// One lane calls it: whether its compute unit takes part in the run. The first
/// `run_parameters::units` that ask do. Orders no memory.
template <class Set>
CHANNELS_GPU_FUNCTION bool unit_takes_part(const run_parameters<Set>& run) {
  std::uint32_t* const part = &run.unit_parts[compute_unit() % most_compute_units];
  // All are relaxed: only the words themselves matter.
  if (compare_exchange<order::relaxed>(part, static_cast<std::uint32_t>(unit_part::unknown),
                                       static_cast<std::uint32_t>(unit_part::asked))) {
    const bool has_part = fetch_add<order::relaxed>(&run.control->units, 1U) < run.units;
    store<order::relaxed>(part,
                          static_cast<std::uint32_t>(has_part ? unit_part::some : unit_part::none));
    return has_part;
  }
  // Another wavefront of this unit asks at the moment. It runs, so this wait ends.
  std::uint32_t found = 0;
  do {
    found = load<order::relaxed>(part);
  } while (found == static_cast<std::uint32_t>(unit_part::asked));
  return found == static_cast<std::uint32_t>(unit_part::some);
}

/// One lane of a wavefront that does not take part calls it. It returns when all that take part
/// have started or the run is over: if it left earlier, the hardware would start the next wavefront
/// in its place. Orders no memory.
template <class Set>
CHANNELS_GPU_FUNCTION void keep_place(const run_parameters<Set>& run) {
  while (load<order::relaxed>(&run.control->arrived) < run.waves &&
         load<order::relaxed>(&run.mailboxes[0].message) != run_is_over) {
    nap();
  }
}

/// This wavefront's number in the run, or `no_wave` if it does not take part. All lanes of the
/// wavefront call it together, once.
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
