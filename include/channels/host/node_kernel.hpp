#pragma once

#include <cstddef>      // byte
#include <tuple>        // tuple
#include <type_traits>  // conditional_t
#include <utility>      // as_const

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
  /// `number`: of the node's outputs. `bound`: elements that each of `lanes` lanes may write.
  out_port(compute_unit& cu, const bound_channel* to, std::uint32_t number, std::uint32_t lanes,
           std::uint32_t bound)
      : cu_(&cu), port_(to), most_(std::uint64_t{lanes} * bound), number_(number) {}

  /// Makes sure of room for `count` elements. False: return `lane.retry()` if nothing has happened
  /// yet, or `lane.retry(rest)`.
  CHANNELS_FOR_HOST_LANES
  [[nodiscard]] CHANNELS_DEVICE bool reserve(std::uint32_t count) {
    if (at_.has(count)) return true;
    refill(count, port::may_refuse);
    if (at_.has(count)) return true;
    deny(count, false);
    return false;
  }

  /// Writes an element, ready when the batch ends. Reserve it first: where there is no room, the
  /// run ends with an error that names the channel. Returns where the element is; without room, a
  /// place that nothing reads. For a type that is stored field by field there is no such place.
  CHANNELS_FOR_HOST_LANES
  CHANNELS_DEVICE T* push(const T& e)
    requires(!layout_of<T>::by_field)
  {
    T* const place = ensure() ? next() : reinterpret_cast<T*>(nowhere_);
    *place = e;
    return place;
  }
  CHANNELS_FOR_HOST_LANES
  CHANNELS_DEVICE void push(const T& e)
    requires(layout_of<T>::by_field)
  {
    if (ensure()) store_next(e);
  }

  /// The same where there is room; else null, and nothing is written: the body does what it wants.
  CHANNELS_FOR_HOST_LANES
  [[nodiscard]] CHANNELS_DEVICE T* try_push(const T& e)
    requires(!layout_of<T>::by_field)
  {
    if (!reserve(1)) return nullptr;
    T* const place = next();
    *place = e;
    return place;
  }
  /// The same for a type that is stored field by field: false without room.
  CHANNELS_FOR_HOST_LANES
  [[nodiscard]] CHANNELS_DEVICE bool try_push(const T& e)
    requires(layout_of<T>::by_field)
  {
    if (!reserve(1)) return false;
    store_next(e);
    return true;
  }

  /// Enqueues what was written. Returns how many elements that was.
  std::uint64_t close() {
    port_.close(at_);
    return port_.handed_out();
  }

 private:
  /// Room for one element that is pushed, or a note that there was none. Forced yields spare it:
  /// there is no way back from a push.
  bool ensure() {
    if (at_.has(1)) return true;
    refill(1, port::always);
    if (at_.has(1)) return true;
    deny(1, true);
    return false;
  }
  void refill(std::uint32_t count, port::refusal refuse) {
    at_ = port_.refill(*cu_, at_, count, most_, refuse);
  }
  CHANNELS_COLD void deny(std::uint32_t count, bool pushed) {
    if (!cu_->denied.pushed) cu_->denied = {count, static_cast<std::uint16_t>(number_), pushed};
  }
  T* next() {
    const channel_view& view = port_.target()->view;
    return layout_of<T>::at(view.data(), view.slot(at_.next++));
  }
  void store_next(const T& e) {
    const channel_view& view = port_.target()->view;
    layout_of<T>::store(view.data(), view.capacity(), view.slot(at_.next++), e);
  }

  compute_unit* cu_;
  port port_;
  cursor at_;
  std::uint64_t most_;
  std::uint32_t number_;
  alignas(T) std::byte nowhere_[sizeof(T)];  ///< takes what a push found no room for
};

/// What a body gets, by reference, for an argument `A` of its node.
template <class A>
struct body_parameter {
  using type = A;
};
template <class A>
  requires detail::is_output<A>
struct body_parameter<A> {
  using type = out_port<typename A::element_type>;
};
template <class T, class Combine>
struct body_parameter<accumulator<T, Combine>> {
  using type = T;
};

/// The host's code of a kernel node of a graph: calls `Body` for each element of a batch.
template <class Node, class Body, class... Arguments>
class node_kernel {
 public:
  using element_type = typename Node::element_type;

  /// Whether the body can be called, and what it returns.
  using check =
      detail::body_check<Body, element_lane<element_type>,
                         std::conditional_t<Node::is_frames, element_type, const element_type>,
                         typename body_parameter<Arguments>::type...>;

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
          cu.denied = {};
          std::apply([&](auto&... r) { run_lanes(cu, b, c.body, r...); }, received);
          b.spawned = 0;
          std::apply([&](auto&... r) { (close<Arguments>(b, r), ...); }, received);
          b.denied = cu.denied;
        },
        c.arguments);
  }

 private:
  template <class A>
  static auto receive(const A& a, compute_unit& cu, batch& b, std::uint32_t& output) {
    if constexpr (detail::is_output<A>) {
      const std::uint32_t number = output++;
      return out_port<typename A::element_type>(cu, b.outputs[number], number, b.count,
                                                detail::bound_of(a));
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
  template <class A, class R>
  static void close(batch& b, R& r) {
    if constexpr (detail::is_output<A>) {
      const std::uint64_t written = r.close();
      if constexpr (!A::is_frames) b.spawned += written;
    }
  }

  template <class... Received>
  static void run_lanes(compute_unit& cu, batch& b, const Body& body, Received&... received) {
    port restarts(cu.restarts);
    cursor restarts_at;
    free_run freed(b.source->view);
    std::uint32_t done = 0;
    const auto one = [&](std::uint64_t ticket) {
      if (call(b, body, ticket, argument(received)...) == outcome::finished) {
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
  static outcome call(batch& b, const Body& body, std::uint64_t ticket, Received&... received) {
    using layout = layout_of<element_type>;
    const channel_view& view = b.source->view;
    if constexpr (Node::is_frames) {
      element_type& frame = *layout::at(view.data(), view.slot(ticket));
      element_lane<element_type> lane(b.level, frame);
      return detail::invoke_body(body, lane, frame, received...);
    } else {
      element_type e = layout::load(view.data(), view.capacity(), view.slot(ticket));
      element_lane<element_type> lane(b.level, e);
      const outcome o = detail::invoke_body(body, lane, std::as_const(e), received...);
      if (lane.is_changed()) layout::store(view.data(), view.capacity(), view.slot(ticket), e);
      return o;
    }
  }
};

}  // namespace channels::host
