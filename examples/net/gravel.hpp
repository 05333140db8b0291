#pragma once

#include <cstdint>     // fixed-width integers
#include <functional>  // function
#include <vector>      // vector

#include "channels/graph.hpp"
#include "places.hpp"

/// Gravel's messages (Orr et al., "Gravel: Fine-Grain GPU-Initiated Network Messages", SC 2017) by
/// their names, on a graph with one far channel. A work-item sends increments, puts and active
/// messages; each is an element, and a kernel node at the place that it is for applies them, one
/// after the other.
///
///     gravel::node n(on, world, words, 1);
///     std::uint64_t* const table = n.memory();
///     n.run(items, [&](gravel::sender& s, std::uint64_t item) {
///       s.shmem_inc(&table[slot_of(item)], place_of(item));
///     });
///
/// What differs from Gravel: a work-item says how many messages it sends at most, and runs when
/// there is room for all. So no message ever waits for room in the middle of a work-item.
namespace gravel {

/// What is under way. Addresses are symmetric: the same word of the memory of another place.
struct message {
  enum class what : std::uint16_t { increment, put, call };
  std::uint64_t word;   ///< an address; of a call its first argument
  std::uint64_t value;  ///< to be put; of a call its second argument
  std::uint32_t place;
  what command;
  std::uint16_t handler;
};

/// What a work-item sends with. `active` false: this work-item sends nothing here, although others
/// do (predication, Gravel's section 5).
class sender {
 public:
  using push_function = void (*)(void* port, const message& m);
  sender(void* port, push_function push, std::uint64_t* memory, std::uint32_t here)
      : port_(port), push_(push), memory_(memory), here_(here) {}

  /// Adds 1 to the word at `address` in the memory of `place`.
  void shmem_inc(const std::uint64_t* address, std::uint32_t place, bool active = true) {
    if (active) push_(port_, {word_of(address), 0, place, message::what::increment, 0});
  }
  /// Sets it. At the own place this is a store, and does not wait for its turn.
  void shmem_put(std::uint64_t* address, std::uint64_t value, std::uint32_t place,
                 bool active = true) {
    if (!active) return;
    if (place == here_) {
      *address = value;
    } else {
      push_(port_, {word_of(address), value, place, message::what::put, 0});
    }
  }
  /// Calls a handler there.
  void shmem_am(std::uint16_t handler, std::uint64_t a, std::uint64_t b, std::uint32_t place,
                bool active = true) {
    if (active) push_(port_, {a, b, place, message::what::call, handler});
  }

 private:
  [[nodiscard]] std::uint64_t word_of(const std::uint64_t* address) const {
    return static_cast<std::uint64_t>(address - memory_);
  }

  void* port_;
  push_function push_;
  std::uint64_t* memory_;
  std::uint32_t here_;
};

/// A place: memory that others may write to, handlers that they may call, and runs of work-items.
class node {
 public:
  using handler = std::function<void(std::uint64_t a, std::uint64_t b)>;
  /// `words` of memory, which are 0; all places have as many.
  /// `most_messages`: what a work-item sends at most. `capacity`: messages that may wait.
  node(channels::runtime& on, const channels::world& w, std::uint64_t words,
       std::uint32_t most_messages, std::uint64_t capacity = 1U << 14U)
      : on_(on), world_(w), memory_(words, 0), most_(most_messages), capacity_(capacity) {}

  [[nodiscard]] std::uint64_t* memory() { return memory_.data(); }
  /// The number by which messages call `h`. All places add the same handlers in the same order.
  std::uint16_t add_handler(handler h) {
    handlers_.push_back(std::move(h));
    return static_cast<std::uint16_t>(handlers_.size() - 1);
  }

  /// Calls `body(sender, item)` for each item of this place, and returns at all places when all
  /// messages have been applied. Throws `channels::error` as a graph's run does, and if a message
  /// is for a word, a handler or a place that there is not.
  template <class Body>
  void run(std::uint64_t items, const Body& body) {
    channels::graph g(on_, world_, "gravel");
    const auto parts = g.channel<examples::range>("work-items", 16);
    const auto messages = g.channel<message>("messages", capacity_);
    const auto far = g.far(messages, channels::owner([](const message& m) { return m.place; }));
    g.kernel("work-items", parts, run_items<Body>{this, &body}, channels::up_to(4096, far));
    g.kernel("apply", messages, apply{this});
    g.push(parts, {0, items});
    g.execute();
    g.wait();
    if (unknown_ != 0)
      throw channels::error("gravel: " + std::to_string(unknown_) +
                            " messages were for words or handlers that this place does not have");
  }

 private:
  template <class Body>
  struct run_items {
    node* at;
    const Body* body;
    template <class Lane, class Out>
    channels::outcome operator()(Lane& lane, const examples::range& r, Out& out) const {
      sender s(
          &out, [](void* port, const message& m) { static_cast<Out*>(port)->push(m); },
          at->memory_.data(), at->world_.here());
      for (std::uint64_t i = r.next; i < r.end; ++i) {
        if (!out.reserve(at->most_)) return lane.retry({i, r.end});
        (*body)(s, i);
      }
      return lane.done();
    }
  };
  struct apply {
    node* at;
    template <class Lane>
    void operator()(Lane& /*lane*/, const message& m) const {
      if (m.command == message::what::call) {
        if (m.handler < at->handlers_.size())
          at->handlers_[m.handler](m.word, m.value);
        else
          ++at->unknown_;
      } else if (m.word >= at->memory_.size()) {
        ++at->unknown_;
      } else if (m.command == message::what::increment) {
        ++at->memory_[m.word];
      } else {
        at->memory_[m.word] = m.value;
      }
    }
  };

  channels::runtime& on_;
  const channels::world& world_;
  std::vector<std::uint64_t> memory_;
  std::vector<handler> handlers_;
  std::uint32_t most_;
  std::uint64_t capacity_;
  std::uint64_t unknown_ = 0;
};

}  // namespace gravel
