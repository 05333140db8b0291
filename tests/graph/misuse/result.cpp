// error in 20 lines: a kernel node's body returns lane.done() or lane.retry(), or nothing
#include "channels/graph.hpp"

void connect(channels::graph& g) {
  const auto in = g.channel<int>("in", 8);
  g.kernel("node", in, [](auto& /*lane*/, int e) { return e > 0; });
}
