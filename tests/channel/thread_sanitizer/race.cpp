// Elements through a small channel, with one order of its protocol relaxed or none. Built with the
// thread sanitizer, which has to report a data race in each but `intact`, and ends the program
// then.

#include <atomic>       // atomic
#include <cstdio>       // puts
#include <string_view>  // string_view
#include <thread>       // jthread

#include "channels/channel.hpp"

namespace {

using channels::detail::order;

struct publish_relaxed : channels::channel_protocol {
  static constexpr auto publish = order::relaxed;
};
struct read_control_relaxed : channels::channel_protocol {
  static constexpr auto read_control = order::relaxed;
};
struct count_done_relaxed : channels::channel_protocol {
  static constexpr auto count_done = order::relaxed;
};
struct read_done_relaxed : channels::channel_protocol {
  static constexpr auto read_done = order::relaxed;
};
struct write_head_relaxed : channels::channel_protocol {
  static constexpr auto write_head = order::relaxed;
};
struct read_head_relaxed : channels::channel_protocol {
  static constexpr auto read_head = order::relaxed;
};

struct element {
  int a, b;
};

/// One producer, one consumer and one reclaimer, since a thread that is two of them orders what it
/// does itself. Returns whether all came out right: on strongly ordered processors it does, race or
/// not.
template <class Protocol>
bool exchange_once() {
  constexpr int total = 20'000;
  channels::channel<element, Protocol> c(8, {.done_group = 2});
  const auto& view = c.view();
  const auto of = [&](channels::run r) {
    return typename channels::channel<element, Protocol>::reservation{r, &c};
  };
  std::atomic<bool> over = false;
  bool right = true;
  std::jthread producer([&] {
    for (int sent = 0; sent < total;) {
      const auto r = of(view.talloc(1));
      if (!r) {
        std::this_thread::yield();
        continue;
      }
      c.set(r, 0, {sent, -sent});
      ++sent;
      view.enq(r);
    }
  });
  std::jthread reclaimer([&] {
    while (!over.load(std::memory_order_relaxed)) {
      if (view.reclaim() == 0) std::this_thread::yield();
    }
  });
  for (int taken = 0; taken < total;) {
    const auto r = of(view.deq());
    if (!r) {
      std::this_thread::yield();
      continue;
    }
    const element e = c.get(r, 0);
    right = right && e.a == taken && e.b == -taken;
    ++taken;
    view.tfree(r);
  }
  over.store(true, std::memory_order_relaxed);
  return right;
}

/// Whether threads meet in the moment that shows a race is a matter of luck, beside other work most
/// of all.
template <class Protocol>
bool exchange() {
  constexpr int most_tries = 30;
  bool right = true;
  for (int i = 0; i < most_tries && right; ++i) right = exchange_once<Protocol>();
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc == 2 ? argv[1] : "";
  bool right = false;
  if (name == "intact") {
    right = exchange_once<channels::channel_protocol>();
  } else if (name == "publish") {
    right = exchange<publish_relaxed>();
  } else if (name == "read_control") {
    right = exchange<read_control_relaxed>();
  } else if (name == "count_done") {
    right = exchange<count_done_relaxed>();
  } else if (name == "read_done") {
    right = exchange<read_done_relaxed>();
  } else if (name == "write_head") {
    right = exchange<write_head_relaxed>();
  } else if (name == "read_head") {
    right = exchange<read_head_relaxed>();
  } else {
    std::puts("usage: race intact|publish|read_control|count_done|read_done|write_head|read_head");
    return 2;
  }
  if (!right) std::puts("elements came out wrong");
  return right ? 0 : 1;
}
