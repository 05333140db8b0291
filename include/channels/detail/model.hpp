#pragma once

#include <cstddef>     // byte
#include <functional>  // function
#include <memory>      // shared_ptr
#include <string>      // string
#include <vector>      // vector

#include "channels/detail/channel_view.hpp"
#include "channels/detail/element_code.hpp"
#include "channels/detail/far_model.hpp"
#include "channels/detail/kernel_code.hpp"

/// A graph without its types. The typed builders (`graph.hpp`, `call.hpp`) fill it in, and the
/// aggregator and devices read it.
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

/// Decides whether what is ready in a channel is worth a dispatch (paper, section 3.1). The
/// aggregator's thread calls it. When nothing is in flight and every predicate says no, what is
/// ready is dispatched all the same: nothing is left behind.
using predicate = std::function<bool(const channel_status&)>;

/// The paper's predicate: enough elements to fill a wavefront.
[[nodiscard]] inline predicate full_wavefront() {
  return [](const channel_status& c) { return c.ready >= c.width; };
}

namespace detail {

class endpoint;
class feed_buffer;

/// Gets one contiguous piece of a data array, in bytes from its start.
using piece_visitor = std::function<void(std::size_t offset, std::size_t bytes)>;

/// A channel, or a stack of channels of the same kind, one for each level.
struct stack_model {
  std::string name;
  std::size_t element_bytes = 0;
  /// Bytes of the data array of a channel of `capacity` elements.
  std::size_t (*data_bytes)(std::size_t capacity) = nullptr;
  /// Stores the element with this ticket; `element` need not be aligned.
  void (*store)(const channel_view&, std::uint64_t ticket, const void* element) = nullptr;
  /// Copies the element with this ticket to `element`, which need not be aligned.
  void (*load)(const channel_view&, std::uint64_t ticket, void* element) = nullptr;
  /// Visits the pieces of the data array in which `count` elements from `slot` on are; null: there
  /// is one, as they are `by_record`.
  void (*each_piece)(std::size_t capacity, std::size_t slot, std::size_t count,
                     const piece_visitor& visit) = nullptr;
  bool by_record = false;         ///< elements lie one after the other, as they are
  bool departures = false;        ///< the courier consumes it, in the place of a node
  bool levels = false;            ///< a stack: what consumes level d writes to level d + 1
  bool frames = false;            ///< consumed by a post-spawn node
  bool control = true;            ///< elements are enqueued; false for frames of the counted rule
  std::uint32_t capacity = 0;     ///< elements of one channel; of a stack's channels, at most
  bool own_capacity = false;      ///< the program gave it; otherwise it is `settings::capacity`
  predicate worth;                ///< empty: always worth a dispatch
  std::vector<std::byte> pushed;  ///< elements from the host, `element_bytes` each
  std::shared_ptr<feed_buffer> feed;  ///< elements that come while it runs; null if none do
  int consumer = -1;                  ///< the number of the node that consumes it; -1: none yet

  void take(const element_code& code) {
    element_bytes = code.bytes;
    data_bytes = code.data_bytes;
    store = code.store;
    load = code.load;
  }
};

/// A channel that a node writes to.
struct output_model {
  std::uint32_t stack = 0;
  std::uint32_t step = 0;  ///< levels below the consumed element: 0 or 1
  /// Elements that one lane writes at most; a guess where that is not known.
  std::uint32_t bound = 1;
};

/// A kernel node.
struct node_model {
  std::string name;
  std::uint32_t stack = 0;  ///< the channel or stack that it consumes, by number
  std::vector<output_model> outputs;
  host_kernel run = nullptr;
  std::shared_ptr<const void> arguments;
  const gpu_code* on_gpu = nullptr;  ///< null if the node was not compiled for a GPU
  bool is_body = false;              ///< a body of a graph: it says what room it was denied
};

struct graph_model {
  std::string name = "graph";
  std::vector<stack_model> stacks;
  std::vector<node_model> nodes;
  std::vector<far_model> far;      ///< far channels
  std::shared_ptr<endpoint> here;  ///< this place; null without a world
  bool allocates = false;          ///< tasks allocate memory besides their frames
  std::shared_ptr<void> keep;  ///< memory that results are written to: it lives as long as the run
};

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
  s.take(code_of_element<T>);
  s.by_record = !layout_of<T>::by_field;
  if constexpr (layout_of<T>::by_field) s.each_piece = &each_piece_of<T>;
  return s;
}

}  // namespace detail
}  // namespace channels
