#pragma once

#include <memory>  // unique_ptr
#include <string>  // string
#include <vector>  // vector

#include "bench/evaluate/divergence.hpp"
#include "bench/evaluate/scheduling.hpp"
#include "channels/runtime.hpp"

/// The paper's four workloads (section 7.1), each of a size of one's choice.
namespace evaluate {

class workload {
 public:
  workload() = default;
  workload(const workload&) = delete;
  workload& operator=(const workload&) = delete;
  virtual ~workload() = default;

  /// Makes the input anew.
  virtual void prepare() = 0;
  /// Breadth-first, through channels.
  virtual void run(channels::runtime& on, const schedule& how) = 0;
  /// On the workers of the process.
  virtual void run_depth_first() = 0;
  /// Through channels, with what became of each wavefront's lanes.
  virtual void run_observed(channels::runtime& on, divergence& seen) = 0;
  /// Whether the last run had the serial program's answer.
  [[nodiscard]] virtual bool right() = 0;
};

/// Names of the workloads.
[[nodiscard]] std::vector<std::string> workload_names();
/// The workload of that name; of the paper's size if `size` is 0.
[[nodiscard]] std::unique_ptr<workload> make_workload(const std::string& name, long size);

}  // namespace evaluate
