// error in 40 lines: ignoring return value
#include "channels/graph.hpp"

void connect(channels::graph& g) {
  const auto in = g.channel<int>("in", 8);
  g.kernel(
      "node", in,
      [](auto& lane, int e, auto& out) {
        out.try_push(e);
        return lane.done();
      },
      channels::up_to(1, in));
}
