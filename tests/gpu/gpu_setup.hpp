#pragma once

// What the tests of channels with a GPU behind the device interface share: of graphs
// (gpu_graphs.hpp), of tasks (gpu_channels.hpp), and of their traces (gpu_traces.hpp). Each is
// included once by a source for each vendor's compiler, and by one for emulation, which is slow: it
// says how large the problems are.

#include "channels/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>  // fill
#include <cstddef>    // size_t
#include <memory>     // shared_ptr

#include "gpu_tasks.hpp"

namespace gpu_channels {

using channels::graph;
using channels::outcome;
using channels::readiness;
using channels::runtime;
using channels::settings;
using gpu_tasks::count_leaves;

using channels::aggregator_place;

inline settings on_device(aggregator_place place = aggregator_place::host) {
  settings s;
  s.device = channels::gpu::device_name;
  s.aggregator = place;
  s.timeout = std::chrono::seconds(20);
  return s;
}

/// An array that host and device use.
template <class T>
class shared_array {
 public:
  shared_array(runtime& on, std::size_t size)
      : memory_(on.on().make_shared_memory(size * sizeof(T))), size_(size) {
    std::fill(begin(), end(), T{});
  }
  [[nodiscard]] T* begin() const { return static_cast<T*>(memory_.get()); }
  [[nodiscard]] T* end() const { return begin() + size_; }
  T& operator[](std::size_t i) const { return begin()[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::shared_ptr<void> memory_;
  std::size_t size_;
};

const aggregator_place both_places[] = {aggregator_place::host, aggregator_place::device};

}  // namespace gpu_channels
