#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <memory>     // shared_ptr
#include <string>     // string
#include <typeindex>  // type_index
#include <utility>    // forward
#include <vector>     // vector

#include "channels/accumulator.hpp"
#include "channels/code_here.hpp"
#include "channels/detail/device.hpp"
#include "channels/detail/model.hpp"
#include "channels/feed.hpp"
#include "channels/host/node_kernel.hpp"
#include "channels/net/routes.hpp"
#include "channels/net/world.hpp"
#include "channels/node.hpp"
#include "channels/runtime.hpp"

namespace channels {
namespace detail {

/// The body of `graph::fan_out`.
struct copy_to_all {
  template <class Lane, element T, class... Ports>
  CHANNELS_DEVICE outcome operator()(Lane& lane, const T& e, Ports&... to) const {
    if (!(to.reserve(1) && ...)) return lane.retry();
    (to.push(e), ...);
    return lane.done();
  }
};

}  // namespace detail

/// A channel-flow graph (paper, section 4.2): channels, the kernel nodes that consume them, and
/// what the host pushes. The paper's figure 6, which counts to a Fibonacci number with one node and
/// one channel:
///
///     struct fib_element { int value; };
///
///     channels::runtime on;
///     channels::graph g(on, "fib");
///     auto fib = g.channel<fib_element>("fib", 32768);
///     auto result = g.accumulator<long>();
///     g.kernel("fib", fib,
///              [](auto& lane, fib_element e, auto& fib, long& result) {
///                if (e.value <= 2) {
///                  result += 1;
///                } else {
///                  if (!fib.reserve(2)) return lane.retry();
///                  fib.push({e.value - 1});
///                  fib.push({e.value - 2});
///                }
///                return lane.done();
///              },
///              channels::up_to(2, fib), result);
///     g.push(fib, {24});
///     g.execute();
///     g.wait();
///     long fib_24 = result.value();
///
/// A kernel node's body is called once for each element, with a lane, the element, and one
/// parameter for each argument given after the body: a channel arrives as a port to write to, an
/// accumulator as a reference to add to, everything else as the constant that it is. A body is
/// compiled for the device, so it should have no state of its own.
///
/// Every mistake in making a graph throws `channels::error` with a message that says what to do.
/// One thread at a time calls a graph.
class graph {
 public:
  explicit graph(runtime& on, std::string name = "graph");
  /// The graph at one place of `of`. Each place makes the same graph and executes it, and the run
  /// ends at all of them together.
  graph(runtime& on, const world& of, std::string name = "graph");
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  /// Stops the run if it has not been waited for.
  ~graph();

  /// A bounded channel of at least `capacity` elements, rounded up to a power of two. It has no
  /// levels. A node may write to the channel that it consumes: where all that is there needs room,
  /// the run moves elements to the host's memory, at most as much as `settings::memory` says, and
  /// lets one after the other go on. So any capacity will do that holds what one body asks for, and
  /// its own element; a small one costs time.
  template <element T>
  channel_node<T> channel(std::string name, std::uint64_t capacity) {
    detail::stack_model s = detail::make_stack<T>(std::move(name));
    set_capacity(s, capacity);
    return {add(std::move(s), typeid(T)), id_};
  }

  /// Of other types: says what is wrong with them.
  template <class T>
    requires(!element<T>)
  detail::node_handle channel(const std::string& /*name*/, std::uint64_t /*capacity*/) {
    refuse_type<T>();
    return {};
  }

  /// A channel stack (paper, section 5.2): one channel for each level of a recursion, made when it
  /// is first written to. A node that consumes level d writes to level d + 1, which bounds the
  /// memory of a recursion by its depth. `capacity`: elements of one level, at most; 0 takes the
  /// runtime's setting, or less if the memory is less.
  template <element T>
  stack_node<T> stack(std::string name, std::uint64_t capacity = 0) {
    detail::stack_model s = detail::make_stack<T>(std::move(name));
    s.levels = true;
    capacity == 0 ? set_usual_capacity(s) : set_capacity(s, capacity);
    return {add(std::move(s), typeid(T)), id_};
  }

  /// A far channel: what is pushed to it goes to the channel `home` at the place that `route` says
  /// (`to`, `owner`, `any`, `ring`, `all`), this one included, and is consumed there by the kernel
  /// node of `home`. Bodies and the host push to it as to any channel. It has room while the place
  /// that the next element goes to has some.
  ///
  /// `landing`: elements from one place that may be on their way or wait here, rounded up to a
  /// power of two; there is a landing channel of that capacity for each place. 0: as `home`.
  /// `name`: "" for "far " and the name of `home`.
  ///
  /// A run throws `channels::error` at all places if one fails, is silent for longer than
  /// `world_options::patience`, or has another graph.
  template <element T, route_of<T> Route>
  channel_node<T> far(channel_node<T> home, Route route, std::uint64_t landing = 0,
                      std::string name = "") {
    return {add_far(home, detail::make_stack<T>(std::move(name)), typeid(T), landing,
                    std::make_shared<const Route>(std::move(route)), &detail::depart<T, Route>),
            id_};
  }

  template <class T>
    requires(!element<T>)
  detail::node_handle stack(const std::string& /*name*/, std::uint64_t /*capacity*/ = 0) {
    refuse_type<T>();
    return {};
  }

  /// A stack of frames: what a post-spawn node consumes. A node that consumes level d of a stack
  /// pushes frames of level d; they run when no deeper level holds anything: the levelized rule,
  /// whichever rule the runtime has. Frames do not move, so elements may have pointers into them.
  template <element T>
  frame_node<T> frames(std::string name, std::uint64_t capacity = 0) {
    static_assert(!layout_of<T>::by_field,
                  "frames are stored as records: their elements point into them");
    detail::stack_model s = detail::make_stack<T>(std::move(name));
    s.levels = true;
    s.frames = true;
    capacity == 0 ? set_usual_capacity(s) : set_capacity(s, capacity);
    return {add(std::move(s), typeid(T)), id_};
  }

  template <class T>
    requires(!element<T>)
  detail::node_handle frames(const std::string& /*name*/, std::uint64_t /*capacity*/ = 0) {
    refuse_type<T>();
    return {};
  }

  /// The channel called `name`, for code that did not make it. Throws if there is none, if its
  /// elements are not `T`, or if it is a stack: only the handle that `stack` returned knows that it
  /// has levels.
  template <element T>
  [[nodiscard]] channel_node<T> find(const std::string& name) const {
    return {find(name, typeid(T)), id_};
  }

  /// A value that lanes add to. `combine` joins what compute units have gathered.
  template <class T, class Combine = std::plus<>>
  channels::accumulator<T, Combine> accumulator(T identity = T{}, Combine combine = {}) {
    detail::device& on = device();
    const std::uint32_t parts = on.parts();
    const auto a = parts == 0
                       ? channels::accumulator<T, Combine>(identity, combine, on.compute_units())
                       : channels::accumulator<T, Combine>(identity, combine, parts,
                                                           on.make_memory(parts * sizeof(T)));
    resets_.push_back([a] { a.reset(); });
    return a;
  }

  /// Connects a channel to the kernel node that consumes it.
  template <class Code = detail::code_here, class Node, class Body, class... Arguments>
  void kernel(std::string name, Node from, Body body, Arguments... arguments) {
    using kernel_type = host::node_kernel<Node, Body, Arguments...>;
    using check = typename kernel_type::check;
    static_assert(check::takes_them,
                  "a kernel node's body takes a lane, an element of the channel's type, and one "
                  "parameter for each argument after it; for a GPU it is a function object whose "
                  "operator() is CHANNELS_DEVICE");
    static_assert(check::returns_how_it_went,
                  "a kernel node's body returns lane.done() or lane.retry(), or nothing");
    if constexpr (check::takes_them && check::returns_how_it_went) {
      detail::node_model n;
      n.name = std::move(name);
      n.stack = from.stack;
      (add_output(n, from, arguments), ...);
      n.run = &kernel_type::run;
      n.on_gpu = Code::template node<Node, Body, Arguments...>();
      n.is_body = true;
      n.arguments = std::make_shared<const typename kernel_type::closure>(
          typename kernel_type::closure{std::move(body), {std::move(arguments)...}});
      connect(std::move(n), from.graph);
    }
  }

  /// A kernel node that copies each element of `from` to all of `to`.
  template <class Node, class... To>
  void fan_out(std::string name, Node from, To... to) {
    kernel(std::move(name), from, detail::copy_to_all{}, up_to(1, to)...);
  }

  /// Dispatches from `node`'s channel only when `worth` says so, or when nothing runs and nothing
  /// else can be dispatched (paper, section 3.1).
  template <class Node>
  void dispatch_when(Node node, predicate worth) {
    set_predicate(node.stack, node.graph, std::move(worth));
  }
  /// Replaces the scheduling policy, which is `settings::policy`. By default that is first come
  /// where there are no stacks, and level first where there are stacks and no frames; with frames,
  /// level first on a GPU by the levelized rule, and bounded breadth-first otherwise.
  void schedule(std::shared_ptr<const scheduling_policy> policy);

  /// Adds an element that the run begins with; in a stack, at level 0.
  template <class Node>
  void push(Node node, const typename Node::element_type& e) {
    push_bytes(node.stack, node.graph, &e, sizeof e);
  }

  /// For elements that come while the next run goes on; in a stack, at level 0. A channel has one
  /// feed at a time.
  template <class Node>
  [[nodiscard]] channels::feed<typename Node::element_type> feed(Node node) {
    return channels::feed<typename Node::element_type>(open_feed(node.stack, node.graph));
  }

  /// Starts the run, which consumes the elements that were pushed. Accumulators start from their
  /// identity.
  void execute();
  /// Waits for its end; see `runtime::wait`.
  bool wait(std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max());

  /// What the last run counted.
  [[nodiscard]] const statistics& counted() const;
  /// The graph in the DOT language, with what its channels hold now.
  [[nodiscard]] std::string dot() const;

 private:
  template <class T>
  static void refuse_type() {
    static_assert(
        std::is_trivially_copyable_v<T>,
        "elements are copied byte by byte, between lanes and devices: their type has to be "
        "trivially copyable, unlike std::string or std::vector");
    static_assert(std::is_default_constructible_v<T>,
                  "an element's type has to have a default constructor");
    static_assert(alignof(T) <= cache_line, "an element is aligned to a cache line at most");
  }

  std::uint32_t add(detail::stack_model s, std::type_index type);
  void set_capacity(detail::stack_model& s, std::uint64_t capacity) const;
  void set_usual_capacity(detail::stack_model& s) const;
  std::uint32_t add_far(const detail::node_handle& home, detail::stack_model departures,
                        std::type_index type, std::uint64_t landing,
                        std::shared_ptr<const void> route, detail::depart_function depart);
  void make_landing_channels();
  [[nodiscard]] detail::device& device() const;
  [[nodiscard]] std::uint32_t find(const std::string& name, std::type_index type) const;
  [[noreturn]] void refuse_frames(const std::string& node, std::uint32_t stack) const;
  void check_mine(std::uint64_t owner, const char* what) const;
  void check_still();
  void connect(detail::node_model n, std::uint64_t owner);
  void set_predicate(std::uint32_t stack, std::uint64_t owner, predicate worth);
  void push_bytes(std::uint32_t stack, std::uint64_t owner, const void* bytes, std::size_t count);
  detail::stack_model& pushed_by_host(std::uint32_t stack, std::uint64_t owner, const char* what);
  void forget_run();
  [[nodiscard]] std::shared_ptr<detail::feed_buffer> open_feed(std::uint32_t stack,
                                                               std::uint64_t owner);
  void check_complete() const;

  template <class Node, class Argument>
  void add_output(detail::node_model& n, const Node&, const Argument& a) {
    if constexpr (detail::is_output<Argument>) {
      check_mine(a.graph, n.name.c_str());
      if constexpr (Argument::is_frames && !Node::levels) refuse_frames(n.name, a.stack);
      // From a channel without levels, stacks are written to at level 0.
      const std::uint32_t step = Node::levels && Argument::levels && !Argument::is_frames ? 1 : 0;
      n.outputs.push_back({a.stack, step, detail::bound_of(a)});
    }
  }

  std::shared_ptr<detail::engine> engine_;  ///< of the runtime, which may be gone
  std::uint64_t id_;                        ///< the graph's number; its handles have it too
  std::shared_ptr<detail::graph_model> model_;
  std::vector<std::type_index> types_;
  std::shared_ptr<const scheduling_policy> policy_;
  std::vector<std::function<void()>> resets_;
  bool started_ = false;
};

}  // namespace channels

#endif
