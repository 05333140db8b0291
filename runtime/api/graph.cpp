#include "channels/graph.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // any_of
#include <atomic>     // atomic
#include <bit>        // bit_ceil

#include "runtime/aggregator/feed_buffer.hpp"
#include "runtime/api/engine.hpp"
#include "runtime/net/endpoint.hpp"

namespace channels {
namespace {

/// A number that no other graph has: a handle of a graph that is gone does not match a new one.
std::uint64_t next_graph_id() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

graph::graph(runtime& on, std::string name)
    : engine_(on.engine_), id_(next_graph_id()), model_(std::make_shared<detail::graph_model>()) {
  model_->name = std::move(name);
}

graph::graph(runtime& on, const world& of, std::string name) : graph(on, std::move(name)) {
  model_->here = of.endpoint_;
}

graph::~graph() {
  if (!started_) return;
  engine_->stop();
  try {
    engine_->wait(std::chrono::nanoseconds::max());
  } catch (...) {
    // A destructor has no caller that could handle the run's error.
    started_ = false;
  }
}

std::uint32_t graph::add(detail::stack_model s, std::type_index type) {
  check_still();
  const bool taken = std::any_of(model_->stacks.begin(), model_->stacks.end(),
                                 [&](const auto& o) { return o.name == s.name; });
  if (taken) {
    throw error(fmt::format("{}: there is a channel '{}' already; give this one another name",
                            model_->name, s.name));
  }
  model_->stacks.push_back(std::move(s));
  types_.push_back(type);
  return static_cast<std::uint32_t>(model_->stacks.size() - 1);
}

void graph::set_capacity(detail::stack_model& s, std::uint64_t capacity) const {
  const std::uint64_t memory = engine_->options().memory;
  if (capacity == 0) {
    throw error(fmt::format("{}: channel '{}' has a capacity of 0 elements; give it 1 or more",
                            model_->name, s.name));
  }
  if (capacity > channel_geometry::largest_capacity ||
      s.data_bytes(std::bit_ceil(capacity)) > memory) {
    throw error(fmt::format(
        "{}: channel '{}' has a capacity of {} elements of {} bytes, and all channels together may "
        "take {} bytes; give it fewer, or set CHANNELS_MEMORY higher",
        model_->name, s.name, capacity, s.element_bytes, memory));
  }
  s.capacity = static_cast<std::uint32_t>(std::bit_ceil(capacity));
  s.own_capacity = true;
}

/// The capacity of the settings, or what the memory holds. Channels of stacks start small and grow,
/// so it need not hold several such.
void graph::set_usual_capacity(detail::stack_model& s) const {
  const settings& options = engine_->options();
  s.capacity = std::bit_ceil(options.capacity);
  while (s.capacity > 1 && s.data_bytes(s.capacity) > options.memory) s.capacity /= 2;
}

std::uint32_t graph::add_far(const detail::node_handle& home, detail::stack_model departures,
                             std::type_index type, std::uint64_t landing,
                             std::shared_ptr<const void> route, detail::depart_function depart) {
  check_mine(home.graph, "far");
  const detail::stack_model& to = model_->stacks[home.stack];
  if (model_->here == nullptr) {
    throw error(fmt::format(
        "{}: a far channel to '{}' needs to know the other places; give the graph a world",
        model_->name, to.name));
  }
  if (device().name() != "host") {
    throw error(fmt::format(
        "{}: far channels run on the host device only, and this is '{}'; set CHANNELS_DEVICE=host",
        model_->name, device().name()));
  }
  if (departures.name.empty()) departures.name = "far " + to.name;
  departures.departures = true;
  set_capacity(departures, to.capacity);
  detail::far_model f;
  f.name = departures.name;
  f.home = home.stack;
  f.route = std::move(route);
  f.depart = depart;
  // Their capacity is checked now; the node that consumes them may not be there yet.
  detail::stack_model shape = departures;
  set_capacity(shape, landing == 0 ? to.capacity : landing);
  shape.departures = false;
  const std::uint32_t number = add(std::move(departures), type);
  f.departures = number;
  for (std::uint32_t p = 0; p < model_->here->by->places(); ++p) {
    shape.name = fmt::format("{} from {}", f.name, p);
    f.landings.push_back(add(shape, type));
  }
  model_->far.push_back(std::move(f));
  return number;
}

/// Landing channels are consumed by what consumes the channel that they are for.
void graph::make_landing_channels() {
  for (const detail::far_model& f : model_->far) {
    const detail::stack_model home = model_->stacks[f.home];
    if (home.consumer < 0) continue;
    for (const std::uint32_t landing : f.landings) {
      detail::stack_model& s = model_->stacks[landing];
      s.worth = home.worth;
      if (s.consumer >= 0) continue;
      detail::node_model n = model_->nodes[static_cast<std::size_t>(home.consumer)];
      n.stack = landing;
      s.consumer = static_cast<int>(model_->nodes.size());
      model_->nodes.push_back(std::move(n));
    }
  }
}

detail::device& graph::device() const { return engine_->on(); }

const statistics& graph::counted() const { return engine_->last_run(); }

std::uint32_t graph::find(const std::string& name, std::type_index type) const {
  for (std::uint32_t i = 0; i < model_->stacks.size(); ++i) {
    if (model_->stacks[i].name != name) continue;
    if (types_[i] != type) {
      throw error(fmt::format(
          "{}: the elements of channel '{}' are of another type ({}) than asked for ({})",
          model_->name, name, types_[i].name(), type.name()));
    }
    if (model_->stacks[i].levels) {
      throw error(fmt::format(
          "{}: '{}' is a stack of {}, and find is for channels; keep what {}(...) returned",
          model_->name, name, model_->stacks[i].frames ? "frames" : "channels",
          model_->stacks[i].frames ? "frames" : "stack"));
    }
    return i;
  }
  throw error(fmt::format("{}: there is no channel '{}'", model_->name, name));
}

void graph::check_mine(std::uint64_t owner, const char* what) const {
  if (owner != id_) {
    throw error(fmt::format(
        "{}: {} was given a channel of another graph, or one that was never made; use what this "
        "graph's own channel, stack and frames returned",
        model_->name, what));
  }
}

void graph::refuse_frames(const std::string& node, std::uint32_t stack) const {
  throw error(
      fmt::format("{}: kernel node '{}' consumes a channel without levels, and so no frame of '{}' "
                  "could wait for "
                  "anything; let it consume a stack",
                  model_->name, node, model_->stacks[stack].name));
}

void graph::check_still() {
  if (started_) throw error(fmt::format("{}: the graph runs; change it after wait", model_->name));
}

void graph::connect(detail::node_model n, std::uint64_t owner) {
  check_still();
  check_mine(owner, n.name.c_str());
  detail::stack_model& s = model_->stacks[n.stack];
  if (s.departures) {
    throw error(
        fmt::format("{}: '{}' is a far channel, and its elements are consumed at other places; let "
                    "'{}' consume "
                    "the channel that it leads to",
                    model_->name, s.name, n.name));
  }
  if (s.consumer >= 0) {
    throw error(fmt::format(
        "{}: channel '{}' is consumed by kernel node '{}' already and cannot go to '{}' too; make "
        "a "
        "channel for each kernel node",
        model_->name, s.name, model_->nodes[static_cast<std::size_t>(s.consumer)].name, n.name));
  }
  s.consumer = static_cast<int>(model_->nodes.size());
  model_->nodes.push_back(std::move(n));
}

void graph::set_predicate(std::uint32_t stack, std::uint64_t owner, predicate worth) {
  check_still();
  check_mine(owner, "dispatch_when");
  model_->stacks[stack].worth = std::move(worth);
}

void graph::schedule(std::shared_ptr<const scheduling_policy> policy) {
  check_still();
  policy_ = std::move(policy);
}

/// The stack, which has to take elements from the host.
detail::stack_model& graph::pushed_by_host(std::uint32_t stack, std::uint64_t owner,
                                           const char* what) {
  check_still();
  check_mine(owner, what);
  detail::stack_model& s = model_->stacks[stack];
  if (s.frames) {
    throw error(fmt::format(
        "{}: frames '{}' cannot be pushed by the host: they are what a node leaves behind for its "
        "children; push an element",
        model_->name, s.name));
  }
  return s;
}

std::shared_ptr<detail::feed_buffer> graph::open_feed(std::uint32_t stack, std::uint64_t owner) {
  detail::stack_model& s = pushed_by_host(stack, owner, "feed");
  if (s.feed != nullptr) {
    throw error(fmt::format(
        "{}: channel '{}' has a feed for the next run already; all threads may push to that one",
        model_->name, s.name));
  }
  s.feed = std::make_shared<detail::feed_buffer>(
      fmt::format("{}: channel '{}'", model_->name, s.name), s.element_bytes, s.capacity,
      engine_->options().timeout);
  return s.feed;
}

void graph::push_bytes(std::uint32_t stack, std::uint64_t owner, const void* bytes,
                       std::size_t count) {
  detail::stack_model& s = pushed_by_host(stack, owner, "push");
  const auto* const first = static_cast<const std::byte*>(bytes);
  s.pushed.insert(s.pushed.end(), first, first + count);
}

void graph::check_complete() const {
  bool pushed = !model_->far.empty();  // others may send something
  for (const detail::stack_model& s : model_->stacks) {
    if (s.consumer < 0 && !s.departures) {
      throw error(fmt::format(
          "{}: nobody consumes channel '{}'; connect it to a kernel node with kernel(...)",
          model_->name, s.name));
    }
    pushed |= !s.pushed.empty() || s.feed != nullptr;
  }
  if (!pushed) {
    throw error(fmt::format("{}: there is nothing to begin with; push an element before execute",
                            model_->name));
  }
}

void graph::execute() {
  if (started_) {
    throw error(fmt::format("{}: the graph runs already; wait for it before it is executed again",
                            model_->name));
  }
  make_landing_channels();
  check_complete();
  for (const auto& reset : resets_) reset();
  engine_->start(model_, policy_);
  started_ = true;
}

bool graph::wait(std::chrono::nanoseconds deadline) {
  if (!started_) throw error(fmt::format("{}: wait without execute", model_->name));
  try {
    if (!engine_->wait(deadline)) return false;
  } catch (...) {
    forget_run();
    throw;
  }
  forget_run();
  return true;
}

/// The run has ended, and with it what it was to begin with.
void graph::forget_run() {
  started_ = false;
  for (detail::stack_model& s : model_->stacks) {
    s.pushed.clear();
    s.feed = nullptr;
  }
}

std::string graph::dot() const { return engine_->dot(*model_); }

}  // namespace channels
