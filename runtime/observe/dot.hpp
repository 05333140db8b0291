#pragma once

#include <cstdint>  // fixed-width integers
#include <string>   // string
#include <vector>   // vector

#include "channels/detail/model.hpp"
#include "channels/statistics.hpp"

namespace channels::detail {

/// What a stack holds now, in all its levels.
struct stack_count {
  std::uint64_t live = 0;
  std::uint64_t ready = 0;
  std::uint32_t levels = 0;
};

/// The graph in the DOT language: boxes are kernel nodes, cylinders are channels and channel
/// stacks. `counts` by stack, or empty for a graph that does not run.
[[nodiscard]] std::string to_dot(const graph_model& model,
                                 const std::vector<stack_count>& counts = {});

/// The same with the statistics of a run that has ended.
[[nodiscard]] std::string to_dot(const graph_model& model, const statistics& counted);

/// Writes `text` to `file` (output_file.hpp). Prints a message to stderr if it cannot.
void write_graph(const std::string& file, const std::string& text);

}  // namespace channels::detail
