#pragma once

#include <tuple>        // tuple
#include <type_traits>  // is_void_v

#include "channels/accumulator.hpp"
#include "channels/detail/node_lane.hpp"
#include "channels/host/free_run.hpp"
#include "channels/host/port.hpp"
#include "channels/node.hpp"
#include "channels/task.hpp"

namespace channels::host {

/// A channel that a body writes elements to.
template <element T>
class out_port {
 public:
  out_port(compute_unit& cu, const bound_channel* to, std::uint32_t lanes, std::uint32_t bound)
      : cu_(&cu), port_(to), most_(std::uint64_t{lanes} * bound) {}

  /// Makes sure of room for `count` elements. False: return `lane.retry()` if nothing has happened
  /// yet.
  CHANNELS_FOR_HOST_LANES
  [[nodiscard]] CHANNELS_DEVICE bool reserve(std::uint32_t count) {
    if (!at_.has(count)) at_ = port_.refill(*cu_, at_, count, most_);
    return at_.has(count);
  }

  /// Writes an element, ready when the batch ends. Returns where it is, or null if there was no
  /// room; never null for what was reserved.
  CHANNELS_FOR_HOST_LANES
  CHANNELS_DEVICE T* push(const T& e)
    requires(!layout_of<T>::by_field)
  {
    if (!reserve(1)) return nullptr;
    const channel_view& view = port_.target()->view;
    T* const place = layout_of<T>::at(view.data(), view.slot(at_.next++));
    *place = e;
    return place;
  }
  /// The same for a type that is stored field by field: true if there was room.
  CHANNELS_FOR_HOST_LANES
  CHANNELS_DEVICE bool push(const T& e)
    requires(layout_of<T>::by_field)
  {
    if (!reserve(1)) return false;
    const channel_view& view = port_.target()->view;
    layout_of<T>::store(view.data(), view.capacity(), view.slot(at_.next++), e);
    return true;
  }

  void close() { port_.close(at_); }

 private:
  compute_unit* cu_;
  port port_;
  cursor at_;
  std::uint64_t most_;
};

/// The host's code of a kernel node of a graph: calls `Body` for each element of a batch.
template <class Node, class Body, class... Arguments>
class node_kernel {
 public:
  using element_type = typename Node::element_type;

  struct closure {
    Body body;
    std::tuple<Arguments...> arguments;
  };

  static void run(compute_unit& cu, batch& b, const void* arguments) {
    const auto& c = *static_cast<const closure*>(arguments);
    std::uint32_t output = 0;
    std::apply(
        [&](const Arguments&... a) {
          // Braces: outputs are numbered from left to right.
          std::tuple<decltype(receive(a, cu, b, output))...> received{receive(a, cu, b, output)...};
          std::apply([&](auto&... r) { run_lanes(cu, b, c.body, r...); }, received);
          std::apply([](auto&... r) { (close(r), ...); }, received);
        },
        c.arguments);
  }

 private:
  template <class A>
  static auto receive(const A& a, compute_unit& cu, batch& b, std::uint32_t& output) {
    if constexpr (detail::is_output<A>) {
      const bound_channel* const to = b.outputs[output++];
      return out_port<typename A::element_type>(cu, to, b.count, detail::bound_of(a));
    } else if constexpr (requires { a.part_of(cu.index); }) {
      return part<typename A::value_type>{&a.part_of(cu.index)};
    } else {
      return a;
    }
  }
  template <class V>
  struct part {
    V* value;
  };
  template <class R>
  static R& argument(R& r) {
    return r;
  }
  template <class V>
  static V& argument(part<V>& p) {
    return *p.value;
  }
  template <class R>
  static void close(R& r) {
    if constexpr (requires { r.close(); }) r.close();
  }

  template <class... Received>
  static void run_lanes(compute_unit& cu, batch& b, const Body& body, Received&... received) {
    node_lane lane(b.level);
    port restarts(cu.restarts);
    cursor restarts_at;
    free_run freed(b.source->view);
    std::uint32_t done = 0;
    const auto one = [&](std::uint64_t ticket) {
      if (call(b, body, lane, ticket, argument(received)...) == outcome::finished) {
        freed.add(ticket);
        return;
      }
      ++cu.counters.retries;
      ++b.restarted;
      restarts_at = restarts.refill(cu, restarts_at, 1, 1, port::always);
      const channel_view& view = restarts.target()->view;
      layout_of<restart_context>::store(view.data(), view.capacity(), view.slot(restarts_at.next++),
                                        {ticket, b.source->id, restart_reason::no_room});
    };
    if (b.tickets != nullptr) {
      for (; done < b.count && !(done % cu.width == 0 && cu.stopped()); ++done)
        one(b.tickets[done]);
    } else {
      for (std::uint32_t i = 0; i < b.run_count; ++i) {
        std::uint32_t k = 0;
        for (; k < b.runs[i].count && !(k % cu.width == 0 && cu.stopped()); ++k)
          one(b.runs[i].first + k);
        done += k;
        if (k != b.runs[i].count) break;
      }
    }
    freed.flush();
    restarts.close(restarts_at);
    b.consumed = done;
    (Node::is_frames ? cu.counters.resumed : cu.counters.tasks) += done;
    cu.counters.waves += (done + cu.width - 1) / cu.width;
    cu.counters.lanes += done;
  }

  template <class... Received>
  static outcome call(batch& b, const Body& body, node_lane& lane, std::uint64_t ticket,
                      Received&... received) {
    const channel_view& view = b.source->view;
    if constexpr (Node::is_frames) {
      return detail::invoke_body(
          body, lane, *layout_of<element_type>::at(view.data(), view.slot(ticket)), received...);
    } else {
      const element_type e =
          layout_of<element_type>::load(view.data(), view.capacity(), view.slot(ticket));
      return detail::invoke_body(body, lane, e, received...);
    }
  }
};

}  // namespace channels::host
