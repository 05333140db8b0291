// error in 20 lines: their type has to be trivially copyable, unlike std::string or std::vector
#include <string>

#include "channels/graph.hpp"

void connect(channels::graph& g) { (void)g.channel<std::string>("in", 8); }
