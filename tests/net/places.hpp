#pragma once

#include <chrono>      // milliseconds
#include <cstdint>     // fixed-width integers
#include <functional>  // function
#include <memory>      // unique_ptr
#include <mutex>       // mutex
#include <string>      // string
#include <vector>      // vector

#include "channels/graph.hpp"
#include "channels/net/threads.hpp"

namespace channels::testing {

/// What a job of places that are threads came to.
struct job_result {
  std::vector<std::string> errors;   ///< by place; "" where the run went well
  std::vector<world_counts> counts;  ///< by place
  /// Sums over all places.
  [[nodiscard]] world_counts total() const {
    world_counts sum;
    for (const world_counts& c : counts) {
      sum.elements_sent += c.elements_sent;
      sum.elements_arrived += c.elements_arrived;
      sum.parcels_sent += c.parcels_sent;
      sum.credit_waits += c.credit_waits;
      sum.resent += c.resent;
      sum.duplicates += c.duplicates;
    }
    return sum;
  }
};

/// Settings of a place in a test: several share the cores.
inline settings place_settings(std::uint64_t seed = 1) {
  settings s;
  s.compute_units = 1;
  s.memory = std::uint64_t{8} << 20U;
  s.timeout = std::chrono::seconds(3);
  s.seed = seed;
  return s;
}

/// Runs `program(world)` at all places of a network with these faults, and notes how each ended.
inline job_result run_places(std::uint32_t places, const thread_faults& faults,
                             const std::function<void(world&)>& program, world_options options = {},
                             std::size_t parcel_bytes = 1024) {
  job_result result;
  result.errors.resize(places);
  result.counts.resize(places);
  std::mutex mutex;
  const thread_network net(places, faults, parcel_bytes);
  at_all_places(net, [&](std::unique_ptr<transport> by) {
    world w(std::move(by), options);
    std::string failure;
    try {
      program(w);
    } catch (const std::exception& e) {
      failure = e.what();
    }
    const std::lock_guard lock(mutex);
    result.errors[w.here()] = failure;
    result.counts[w.here()] = w.counted();
  });
  return result;
}

}  // namespace channels::testing
