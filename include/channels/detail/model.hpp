#pragma once

#include <cstddef>     // byte
#include <cstring>     // memcpy
#include <functional>  // function
#include <memory>      // shared_ptr
#include <string>      // string
#include <vector>      // vector

#include "channels/detail/channel_view.hpp"
#include "channels/detail/element.hpp"
#include "channels/host/compute_unit.hpp"

/// A graph without its types: what the typed builders (`graph.hpp`, `call.hpp`) fill in and the
/// aggregator reads.
namespace channels {

/// What a predicate sees of one channel.
struct channel_status {
  const std::string& name;  ///< of the channel or channel stack
  std::uint32_t level;
  std::uint64_t ready;  ///< elements that a dispatch could take
  std::uint64_t live;   ///< elements that are not available
  std::uint32_t capacity;
  std::uint32_t width;  ///< lanes of a wavefront
};

/// Decides whether what is ready in a channel is worth a dispatch (paper, section 3.1). When the
/// device has nothing to do and every predicate says no, what is ready is dispatched all the same:
/// nothing is left behind.
using predicate = std::function<bool(const channel_status&)>;

/// The paper's predicate: enough elements to fill a wavefront.
[[nodiscard]] inline predicate full_wavefront() {
  return [](const channel_status& c) { return c.ready >= c.width; };
}

namespace detail {

using piece_visitor = std::function<void(std::size_t offset, std::size_t bytes)>;

/// A channel, or a stack of channels of the same kind, one for each level.
struct stack_model {
  std::string name;
  std::size_t element_bytes = 0;
  std::size_t (*data_bytes)(std::size_t capacity) = nullptr;
  void (*store)(const channel_view&, std::uint64_t ticket, const void* element) = nullptr;
  /// Where in the data array so many elements from `slot` on are.
  void (*each_piece)(std::size_t capacity, std::size_t slot, std::size_t count,
                     const piece_visitor& visit) = nullptr;
  bool levels = false;            ///< a stack: level d's tasks write to level d + 1
  bool frames = false;            ///< consumed by a post-spawn node
  bool control = true;            ///< elements are enqueued; false for frames of the counted rule
  std::uint32_t capacity = 0;     ///< elements of one channel: exactly, or for a stack at most
  predicate worth;                ///< empty: always
  std::vector<std::byte> pushed;  ///< elements from the host, `element_bytes` each
  int consumer = -1;              ///< node
};

/// A channel that a node writes to.
struct output_model {
  std::uint32_t stack = 0;
  std::uint32_t step = 0;  ///< levels below the consumed element: 0 or 1
  std::uint32_t bound =
      1;  ///< elements that one lane writes at most; a guess where it is not known
};

struct gpu_code;  // gpu/batch.hpp

struct node_model {
  std::string name;
  std::uint32_t stack = 0;  ///< consumed
  std::vector<output_model> outputs;
  host::kernel run = nullptr;
  std::shared_ptr<const void> arguments;
  const gpu_code* on_gpu = nullptr;  ///< null if the node was not compiled for a GPU
};

struct graph_model {
  std::string name = "graph";
  std::vector<stack_model> stacks;
  std::vector<node_model> nodes;
  bool allocates = false;      ///< tasks allocate memory besides their frames
  std::shared_ptr<void> keep;  ///< what results are written to
};

template <element T>
std::size_t data_bytes_of(std::size_t capacity) {
  return layout_of<T>::bytes(capacity);
}
template <element T>
void store_element(const channel_view& to, std::uint64_t ticket, const void* element) {
  T value;  // a copy: `element` lies among bytes, where nothing is aligned for a T
  std::memcpy(&value, element, sizeof value);
  layout_of<T>::store(to.data(), to.capacity(), to.slot(ticket), value);
}

template <element T>
void each_piece_of(std::size_t capacity, std::size_t slot, std::size_t count,
                   const piece_visitor& visit) {
  layout_of<T>::each_piece(capacity, slot, count, visit);
}

/// A stack of channels of `T`.
template <element T>
stack_model make_stack(std::string name) {
  stack_model s;
  s.name = std::move(name);
  s.element_bytes = sizeof(T);
  s.data_bytes = &data_bytes_of<T>;
  s.store = &store_element<T>;
  s.each_piece = &each_piece_of<T>;
  return s;
}

}  // namespace detail
}  // namespace channels
