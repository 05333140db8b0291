// error in 20 lines: a kernel node's body takes a lane, an element of the channel's type, and one
#include "channels/graph.hpp"

void connect(channels::graph& g) {
  const auto in = g.channel<int>("in", 8);
  g.kernel("node", in,
           [](auto& lane, int /*e*/, int /*no argument for this*/) { return lane.done(); });
}
