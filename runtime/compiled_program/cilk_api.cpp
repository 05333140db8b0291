// What programs ask of the runtime through cilk/cilk_api.h.

#include <atomic>        // atomic
#include <charconv>      // from_chars
#include <cstdint>       // uint32_t
#include <string_view>   // string_view
#include <system_error>  // errc

#include "channels/cilk/device_call.hpp"
#include "channels/settings.hpp"
#include "runtime/host_code/worker_pool.hpp"
#include "runtime/host_device/host_device.hpp"

// As cilk/cilk_api.h has them, for compilers that know Cilk.
#define __cilk 300  // NOLINT(bugprone-reserved-identifier)
#include "cilk/cilk_api.h"

namespace {

using channels::host_code::worker_pool;

constexpr std::uint32_t most_units = 1024;

// Relaxed, where it is used: whoever sets the number does so before its tasks.
std::atomic<bool> program_has_set_workers{false};

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the names are Cilk Plus's

int __cilkrts_set_param(const char* name, const char* value) {
  if (name == nullptr || std::string_view(name) != "nworkers") return __CILKRTS_SET_PARAM_UNIMP;
  if (value == nullptr) return __CILKRTS_SET_PARAM_INVALID;
  const std::string_view text(value);
  std::uint32_t units = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), units);
  if (problem == std::errc::result_out_of_range || (text.size() > 1 && text.front() == '-'))
    return __CILKRTS_SET_PARAM_XRANGE;
  if (problem != std::errc() || end != text.data() + text.size())
    return __CILKRTS_SET_PARAM_INVALID;
  if (units > most_units) return __CILKRTS_SET_PARAM_XRANGE;
  worker_pool& workers = worker_pool::instance();
  if (workers.used() || !channels::cilk::set_program_units(units)) return __CILKRTS_SET_PARAM_LATE;
  channels::settings options = channels::cilk::program_settings();
  options.compute_units = units;
  workers.use(options);
  program_has_set_workers.store(true, std::memory_order_relaxed);
  return __CILKRTS_SET_PARAM_SUCCESS;
}

// Whether the program has set the number of workers (openmp.cpp).
int channels_sets_workers();
int channels_sets_workers() {
  return program_has_set_workers.load(std::memory_order_relaxed) ? 1 : 0;
}

int __cilkrts_get_nworkers() { return static_cast<int>(worker_pool::instance().units()); }

int __cilkrts_get_total_workers() { return static_cast<int>(worker_pool::instance().numbers()); }

int __cilkrts_get_worker_number() {
  if (channels::detail::in_kernel_node())
    return static_cast<int>(channels::detail::unit_of_this_thread());
  return static_cast<int>(worker_pool::instance().number_here());
}

int __cilkrts_running_on_workers() { return worker_pool::instance().units() > 1 ? 1 : 0; }

// NOLINTEND(bugprone-reserved-identifier)
}
