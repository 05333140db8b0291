#pragma once

// Random small graphs: one to six kernel nodes that write to each other's channels, and ask for
// room in every way that there is. What each element leaves behind is a function of the element
// alone, so a plain worklist knows what a run must find.

#include <gtest/gtest.h>

#include <array>    // array
#include <chrono>   // seconds
#include <cstdint>  // fixed-width integers
#include <string>   // string, to_string
#include <thread>   // jthread
#include <utility>  // index_sequence
#include <vector>   // vector

#include "channels/error.hpp"
#include "channels/graph.hpp"
#include "tests/channel/seed.hpp"

namespace channels::testing::random_graphs {

inline constexpr unsigned most_nodes = 6;

/// How a body makes sure of room for its children.
enum class manner : std::uint8_t {
  all_at_once,  ///< reserves all in each channel, or retries
  one_by_one,   ///< tries to push each; retries with what is left
  in_pairs,     ///< reserves up to two at a time; retries with what is left
  not_at_all    ///< pushes: the run may end with an error, and must then
};
inline constexpr unsigned manners = 4;

struct shape {
  std::uint32_t nodes = 1;
  std::uint32_t seed = 0;
  std::uint32_t deepest = 0;
  std::array<std::uint32_t, most_nodes> most_children{};
  std::array<manner, most_nodes> how{};
};

struct item {
  std::uint32_t value;
  std::uint16_t depth;
  std::uint16_t written;  ///< children that are written already
};

CHANNELS_DEVICE inline std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16U;
  x *= 0x7feb352dU;
  x ^= x >> 15U;
  x *= 0x846ca68bU;
  return x ^ x >> 16U;
}
CHANNELS_DEVICE inline std::uint32_t children_of(const shape& s, std::uint32_t node,
                                                 const item& e) {
  return e.depth >= s.deepest ? 0 : mix(e.value ^ s.seed) % (s.most_children[node] + 1);
}
/// The `k`th child, and the channel that it goes to.
CHANNELS_DEVICE inline item child_of(const shape& s, const item& e, std::uint32_t k,
                                     std::uint32_t& to) {
  const std::uint32_t value = mix(e.value * 31U + k + s.seed);
  to = value % s.nodes;
  return {value, static_cast<std::uint16_t>(e.depth + 1), 0};
}
CHANNELS_DEVICE inline std::uint64_t trace_of(std::uint32_t node, const item& e) {
  return (std::uint64_t{mix(e.value + node)} << 20U) + mix(e.value ^ e.depth) + 1;
}

// The body's parameters are its outputs and, behind them, the sum and the shape: these find them.

template <class F, class... Ports, std::size_t... I>
CHANNELS_DEVICE bool for_port(std::uint32_t number, const F& f, std::index_sequence<I...> /*of*/,
                              Ports&... ports) {
  bool result = false;
  ((I == number ? void(result = f(ports)) : void()), ...);
  return result;
}

/// The body of node `Number` of `Nodes` nodes.
template <std::uint32_t Number>
struct body {
  template <class Lane, class... Ports>
  CHANNELS_DEVICE outcome operator()(Lane& lane, item e, std::uint64_t& sum, const shape& s,
                                     Ports&... ports) const {
    constexpr auto all = std::make_index_sequence<sizeof...(Ports)>();
    const std::uint32_t children = children_of(s, Number, e);
    const manner how = s.how[Number];
    if (how == manner::all_at_once) {
      std::uint32_t wanted[most_nodes] = {};
      for (std::uint32_t k = 0; k < children; ++k) {
        std::uint32_t to = 0;
        (void)child_of(s, e, k, to);
        ++wanted[to];
      }
      for (std::uint32_t to = 0; to < s.nodes; ++to) {
        const auto reserve = [&](auto& port) { return port.reserve(wanted[to]); };
        if (wanted[to] != 0 && !for_port(to, reserve, all, ports...)) return lane.retry();
      }
    }
    for (std::uint32_t k = e.written; k < children; ++k) {
      std::uint32_t to = 0;
      const item child = child_of(s, e, k, to);
      const auto write = [&](auto& port) {
        if (how == manner::one_by_one) return port.try_push(child) != nullptr;
        if (how == manner::in_pairs && !port.reserve(1 + (k & 1U))) return false;
        port.push(child);
        return true;
      };
      if (!for_port(to, write, all, ports...))
        return lane.retry({e.value, e.depth, static_cast<std::uint16_t>(k)});
    }
    sum += trace_of(Number, e);
    return lane.done();
  }
};

struct plan {
  shape s;
  std::array<std::uint32_t, most_nodes> capacity{};
  std::array<std::uint32_t, most_nodes> bound{};
  std::vector<std::pair<std::uint32_t, item>> first;  ///< what the host pushes, by node
  bool is_fed = false;  ///< it is pushed by a thread while the graph runs
};

struct expectation {
  std::uint64_t sum = 0;
  std::uint64_t items = 0;
  bool fits = true;       ///< each channel can hold what one body asks for
  bool may_lose = false;  ///< a body pushes without a reservation
  bool is_too_long = false;
};

/// What a plain worklist finds.
inline expectation expect(const plan& p) {
  constexpr std::uint64_t most_items = 3000;
  expectation found;
  auto left = p.first;
  while (!left.empty()) {
    const auto [node, e] = left.back();
    left.pop_back();
    found.sum += trace_of(node, e);
    if (++found.items > most_items) {
      found.is_too_long = true;
      break;
    }
    const std::uint32_t children = children_of(p.s, node, e);
    std::array<std::uint32_t, most_nodes> wanted{};
    for (std::uint32_t k = 0; k < children; ++k) {
      std::uint32_t to = 0;
      const item child = child_of(p.s, e, k, to);
      left.emplace_back(to, child);
      ++wanted[to];
      if (p.s.how[node] == manner::one_by_one) wanted[to] = 1;
      if (p.s.how[node] == manner::in_pairs) wanted[to] = 2;
    }
    found.may_lose |= children != 0 && p.s.how[node] == manner::not_at_all;
    for (std::uint32_t to = 0; to < p.s.nodes; ++to)
      found.fits &= wanted[to] + (to == node && wanted[to] != 0 ? 1 : 0) <= p.capacity[to];
  }
  return found;
}

inline plan draw_plan(dice& d, unsigned nodes) {
  plan p;
  p.s.nodes = nodes;
  p.s.seed = d.from(0U, ~0U);
  p.s.deepest = d.from(0U, 12U);
  const bool pushes_blindly = d.once_in(4);
  for (unsigned i = 0; i < nodes; ++i) {
    p.s.most_children[i] = d.from(0U, 5U);
    p.s.how[i] = static_cast<manner>(d.from(0U, pushes_blindly ? manners - 1 : manners - 2));
    p.capacity[i] = d.power_of_two(0, d.once_in(2) ? 3 : 8);
    p.bound[i] = d.from(1U, 6U);
  }
  const int pushed = d.from(1, d.once_in(2) ? 3 : 200);
  for (int i = 0; i < pushed; ++i) {
    p.first.emplace_back(d.from(0U, nodes - 1), item{d.from(0U, ~0U), 0, 0});
  }
  p.is_fed = d.once_in(3);
  return p;
}

template <std::size_t I, class Channels, class Sum, std::size_t... To>
void add_node(graph& g, const plan& p, const Channels& channels, const Sum& sum,
              std::index_sequence<To...> /*nodes*/) {
  g.kernel("node " + std::to_string(I), channels[I], body<I>{}, sum, p.s,
           up_to(p.bound[I], channels[To])...);
}

inline void feed_all(const plan& p, std::vector<feed<item>>& to) {
  try {
    for (const auto& [node, e] : p.first) to[node].push(e);
  } catch (const error&) {
    // The run has failed, and says why itself.
  }
  for (feed<item>& f : to) f.close();
}

template <std::size_t... I>
std::uint64_t run(const plan& p, runtime& on, std::index_sequence<I...> nodes) {
  graph g(on, "random");
  const std::array<channel_node<item>, sizeof...(I)> channels{
      g.channel<item>("c" + std::to_string(I), p.capacity[I])...};
  const auto sum = g.accumulator<std::uint64_t>();
  (add_node<I>(g, p, channels, sum, nodes), ...);
  std::vector<feed<item>> feeds;
  std::jthread feeder;
  if (p.is_fed) {
    for (const auto& c : channels) feeds.push_back(g.feed(c));
    feeder = std::jthread([&feeds, &p] { feed_all(p, feeds); });
  } else {
    for (const auto& [node, e] : p.first) g.push(channels[node], e);
  }
  g.execute();
  EXPECT_TRUE(g.wait(std::chrono::seconds(240)));
  return sum.value();
}

/// Draws a graph of `Nodes` nodes and runs it with these settings: it finds what the worklist
/// finds, or says what it has no room for, and does that only where it has none.
template <unsigned Nodes>
void check_one(dice& d, const settings& how) {
  plan p = draw_plan(d, Nodes);
  expectation wanted = expect(p);
  while (wanted.is_too_long) {
    p = draw_plan(d, Nodes);
    wanted = expect(p);
  }
  runtime on(how);
  std::string message;
  std::uint64_t sum = 0;
  try {
    sum = run(p, on, std::make_index_sequence<Nodes>());
  } catch (const error& e) {
    message = e.what();
  }
  if (message.empty()) {
    EXPECT_EQ(sum, wanted.sum) << wanted.items << " elements";
    return;
  }
  const bool lost = message.find("a push found no room") != std::string::npos;
  const bool asks_too_much = message.find("at once, and can have") != std::string::npos;
  EXPECT_TRUE((lost && wanted.may_lose) || (asks_too_much && !wanted.fits)) << message;
}

inline void check(std::uint64_t seed, settings how) {
  dice d(seed);
  how.batch = d.once_in(2) ? d.from(1U, 64U) : 4096;
  how.done_group = d.power_of_two(0, 8);
  how.force_yield = d.once_in(2) ? 0.0 : 0.01 * d.from(1, 30);
  how.seed = d.from(std::uint64_t{1}, ~std::uint64_t{0});
  switch (d.from(0, 3)) {
    case 0: return check_one<1>(d, how);
    case 1: return check_one<2>(d, how);
    case 2: return check_one<3>(d, how);
    default: return check_one<most_nodes>(d, how);
  }
}

}  // namespace channels::testing::random_graphs
