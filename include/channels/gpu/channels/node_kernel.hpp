#pragma once

#include <cstring>      // memcpy
#include <type_traits>  // is_void_v

#include "channels/accumulator.hpp"
#include "channels/detail/node_lane.hpp"
#include "channels/gpu/channels/batch_lane.hpp"
#include "channels/node.hpp"
#include "channels/task.hpp"

/// A kernel node of a graph on a GPU: its body, called for each element of a batch.
namespace channels::gpu {

/// A channel as a body sees it: see host::out_port.
template <element T>
class window_out_port {
 public:
  CHANNELS_GPU_INLINE window_out_port(detail::batch_lane& lane, std::uint32_t output)
      : lane_(lane), port_(lane.batch(), output) {}

  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(std::uint32_t count) {
    if (port_.reserve(lane_, count)) return true;
    lane_.deny(count, port_.output(), false);
    return false;
  }
  CHANNELS_GPU_INLINE T* push(const T& e)
    requires(!layout_of<T>::by_field)
  {
    T* const place = ensure() ? next() : reinterpret_cast<T*>(nowhere_);
    *place = e;
    return place;
  }
  CHANNELS_GPU_INLINE void push(const T& e)
    requires(layout_of<T>::by_field)
  {
    if (ensure()) store_next(e);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE T* try_push(const T& e)
    requires(!layout_of<T>::by_field)
  {
    if (!reserve(1)) return nullptr;
    T* const place = next();
    *place = e;
    return place;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool try_push(const T& e)
    requires(layout_of<T>::by_field)
  {
    if (!reserve(1)) return false;
    store_next(e);
    return true;
  }
  CHANNELS_GPU_INLINE void close() { port_.close(lane_); }

 private:
  CHANNELS_GPU_INLINE bool ensure() {
    if (port_.ensure_one(lane_)) return true;
    lane_.deny(1, port_.output(), true);
    return false;
  }
  CHANNELS_GPU_INLINE T* next() { return layout_of<T>::at(port_.data(), port_.next_slot()); }
  CHANNELS_GPU_INLINE void store_next(const T& e) {
    layout_of<T>::store(port_.data(), port_.capacity(), port_.next_slot(), e);
  }

  detail::batch_lane& lane_;
  detail::window_port port_;
  alignas(T) std::byte nowhere_[sizeof(T)];
};

namespace detail {

// What a node's arguments are for the kernel, and for one lane of it.

template <class T>
struct output_argument {
  std::uint32_t number;  ///< of the batch's outputs
};
template <class T, class Combine>
struct accumulator_argument {
  T* parts;  ///< of all wavefronts that there may be
  T identity;
  Combine combine;
};
template <class T>
struct constant_argument {
  T value;
};

template <class T>
struct lane_output {
  window_out_port<T> port;
  CHANNELS_GPU_INLINE lane_output(batch_lane& lane, const output_argument<T>& a)
      : port(lane, a.number) {}
  CHANNELS_GPU_INLINE window_out_port<T>& get() { return port; }
  CHANNELS_GPU_INLINE void close(batch_lane& /*lane*/) { port.close(); }
};

/// The value of a lane further up in the wavefront. All lanes call it together.
template <class T>
CHANNELS_GPU_INLINE T whole_of_lane_above(const T& value, unsigned distance) {
  constexpr std::size_t words = (sizeof(T) + 3) / 4;
  std::uint32_t bits[words] = {};
  memcpy(bits, &value, sizeof(T));
  for (std::uint32_t& word : bits) word = of_lane_above(word, distance);
  T result;
  memcpy(&result, bits, sizeof(T));
  return result;
}

/// A lane's own sum, which goes to the wavefront's part at the end.
template <class T, class Combine>
struct lane_accumulator {
  const accumulator_argument<T, Combine>& to;
  T value;
  T before;
  CHANNELS_GPU_INLINE lane_accumulator(batch_lane& lane, const accumulator_argument<T, Combine>& a)
      : to(a), value(a.identity), before(a.identity) {
    // A read takes long, so a small value is read early. A large one would take registers.
    if constexpr (is_small) {
      if (lane_index() == 0) before = a.parts[lane.at().part];
    }
  }
  CHANNELS_GPU_INLINE T& get() { return value; }
  CHANNELS_GPU_INLINE void close(batch_lane& lane) {
    converge();
    T* const part = to.parts + lane.at().part;
    if constexpr (!is_small) {
      if (lane_index() == 0) before = *part;
    }
    // Lanes without elements have nothing to add.
    unsigned distance = wave_width / 2;
    while (distance != 0 && distance >= lane.lanes()) distance /= 2;
    for (; distance != 0; distance /= 2) {
      const T other = whole_of_lane_above(value, distance);
      if (lane_index() + distance < wave_width) value = to.combine(value, other);
    }
    if (lane_index() == 0) *part = to.combine(before, value);
  }

 private:
  static constexpr bool is_small = sizeof(T) <= 16;
};
template <class T>
struct lane_constant {
  const T& value;
  CHANNELS_GPU_INLINE lane_constant(batch_lane& /*lane*/, const constant_argument<T>& a)
      : value(a.value) {}
  CHANNELS_GPU_INLINE const T& get() const { return value; }
  CHANNELS_GPU_INLINE void close(batch_lane& /*lane*/) const {}
};

template <class T>
CHANNELS_GPU_INLINE lane_output<T> for_lane(batch_lane& lane, const output_argument<T>& a) {
  return {lane, a};
}
template <class T, class C>
CHANNELS_GPU_INLINE lane_accumulator<T, C> for_lane(batch_lane& lane,
                                                    const accumulator_argument<T, C>& a) {
  return {lane, a};
}
template <class T>
CHANNELS_GPU_INLINE lane_constant<T> for_lane(batch_lane& lane, const constant_argument<T>& a) {
  return {lane, a};
}

/// All elements of the batch that fall to this lane.
template <class Node, class Body, class... Arguments>
CHANNELS_GPU_INLINE void run_elements(batch_lane& lane, const Body& body, Arguments... arguments) {
  using element_type = typename Node::element_type;
  using layout = layout_of<element_type>;
  const batch_parameters& b = lane.batch();
  for (std::uint32_t i = lane.item(); i < b.count; i += lane.items()) {
    const std::uint64_t ticket = b.ticket(i);
    const std::uint32_t slot = static_cast<std::uint32_t>(ticket) & b.source_mask;
    outcome o{};
    if constexpr (Node::is_frames) {
      element_type& frame = *layout::at(b.source, slot);
      element_lane<element_type> own(b.level, frame);
      o = channels::detail::invoke_body(body, own, frame, arguments.get()...);
    } else {
      element_type e = layout::load(b.source, b.source_mask + 1, slot);
      element_lane<element_type> own(b.level, e);
      o = channels::detail::invoke_body(body, own, static_cast<const element_type&>(e),
                                        arguments.get()...);
      if (own.is_changed()) layout::store(b.source, b.source_mask + 1, slot, e);
    }
    if (lane.has_lost()) {
      lane.say_denied(ticket);
    } else if (o != outcome::finished) {
      if (i == 0) lane.say_denied(ticket);
      lane.say(remark::no_room, b.source_channel, ticket);
    }
  }
  (arguments.close(lane), ...);
}

template <class Node, class Body, class... Arguments>
CHANNELS_GPU_BATCH_KERNEL run_node(const CHANNELS_GPU_PARAMETER batch_parameters b,
                                   std::uint32_t waves, const CHANNELS_GPU_PARAMETER Body body,
                                   Arguments... arguments) {
  const batch_place at = place_in_kernel(b, waves);
  batch_lane lane(b, at);
  lane.begin();
  run_elements<Node>(lane, body, for_lane(lane, arguments)...);
  lane.end();
}

}  // namespace detail
}  // namespace channels::gpu
