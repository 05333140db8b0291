#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <concepts>  // integral
#include <cstdint>   // fixed-width integers
#include <utility>   // move

#include "channels/detail/far_model.hpp"

/// Routes: to which place an element of a far channel goes. A route is called for each element, by
/// the thread of the aggregator, and so needs no locks.
namespace channels {

/// See `owner`.
template <class F>
struct owner_route {
  F place_of;
  template <class T>
  [[nodiscard]] std::uint64_t operator()(const T& e, detail::far_outboxes& /*to*/) const {
    return static_cast<std::uint64_t>(place_of(e));
  }
};
/// See `to`.
struct fixed_route {
  std::uint32_t place;
  template <class T>
  [[nodiscard]] std::uint64_t operator()(const T& /*e*/, detail::far_outboxes& /*to*/) const {
    return place;
  }
};
/// See `ring`.
struct ring_route {
  template <class T>
  [[nodiscard]] std::uint64_t operator()(const T& /*e*/, detail::far_outboxes& to) const {
    return to.here() + 1 == to.places() ? 0 : to.here() + 1;
  }
};
/// See `any`.
struct any_route {
  template <class T>
  [[nodiscard]] std::uint64_t operator()(const T& /*e*/, detail::far_outboxes& to) const {
    return to.any_with_room();
  }
};
/// See `all`.
struct all_route {};

/// Each element goes to the place that `place_of(element)` names: 0 to the number of places less
/// 1. A run with another answer ends with an error.
template <class F>
[[nodiscard]] owner_route<F> owner(F place_of) {
  return {std::move(place_of)};
}
/// All elements go to one place.
[[nodiscard]] inline fixed_route to(std::uint32_t place) { return {place}; }
/// All elements go to the next place, and from the last to the first.
[[nodiscard]] inline ring_route ring() { return {}; }
/// An element goes to any place that has room for it, this one included.
[[nodiscard]] inline any_route any() { return {}; }
/// Each element goes to every place, this one included.
[[nodiscard]] inline all_route all() { return {}; }

/// What `graph::far` takes as a route for elements of `T`.
template <class Route, class T>
concept route_of = std::same_as<Route, all_route> ||
                   requires(const Route& route, const T& e, detail::far_outboxes& to) {
                     { route(e, to) } -> std::same_as<std::uint64_t>;
                   };

namespace detail {

/// The `depart_function` of elements of `T` with this route.
template <element T, route_of<T> Route>
std::uint32_t depart(const void* route, const channel_view& from, run r, far_outboxes& to) {
  const auto& chosen = *static_cast<const Route*>(route);
  const std::uint32_t places = to.places();
  for (std::uint32_t k = 0; k < r.count; ++k) {
    const T e = layout_of<T>::load(from.data(), from.capacity(), from.slot(r.first + k));
    if constexpr (std::same_as<Route, all_route>) {
      for (std::uint32_t p = 0; p < places; ++p)
        if (!to.has_room(p)) return k;
      for (std::uint32_t p = 0; p < places; ++p) to.put(p, e);
    } else {
      const std::uint64_t place = chosen(e, to);
      if (place >= places) to.refuse(place);
      if (!to.has_room(static_cast<std::uint32_t>(place))) return k;
      to.put(static_cast<std::uint32_t>(place), e);
    }
  }
  return r.count;
}

}  // namespace detail
}  // namespace channels

#endif
