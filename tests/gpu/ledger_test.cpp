// The books of an aggregator on a device, against a plain model; and back to the host's table.

#define CHANNELS_GPU_EMULATED
#include "channels/gpu/device_aggregator/ledger.hpp"
#include "channels/gpu/port/memory.hpp"

#include <gtest/gtest.h>

#include <deque>   // deque
#include <map>     // map
#include <vector>  // vector

#include "runtime/aggregator/channel_table.hpp"
#include "tests/channel/seed.hpp"

namespace channels::gpu::detail {
namespace {

using channels::testing::dice;
using channels::testing::for_each_seed;

enum class state { reserved, ready, dispatched, done };

/// A channel by its tickets, one by one.
class model {
 public:
  model(std::uint32_t capacity, std::uint32_t group, std::uint64_t start)
      : tail(start), capacity_(capacity), group_(group) {}

  std::uint64_t tail;
  std::map<std::uint64_t, state> tickets;  ///< that are not free

  /// Space is free group by group, up to the oldest that is not done.
  [[nodiscard]] std::uint64_t free() const {
    std::uint64_t oldest = tail;
    for (const auto& [ticket, s] : tickets) {
      if (s != state::done) {
        oldest = ticket;
        break;
      }
    }
    return oldest == tail ? capacity_ : capacity_ - (tail - oldest / group_ * group_);
  }
  void set(run r, state s) {
    for (std::uint64_t t = r.first; t < r.end(); ++t) tickets[t] = s;
  }
  [[nodiscard]] std::uint64_t count(state wanted) const {
    std::uint64_t n = 0;
    for (const auto& [ticket, s] : tickets) n += s == wanted ? 1 : 0;
    return n;
  }

 private:
  std::uint32_t capacity_;
  std::uint32_t group_;
};

/// A random life of one channel, in the ledger and in the model.
class life {
 public:
  /// `asks_first`: as the aggregator, it begins nothing for which there might be no place.
  explicit life(std::uint64_t seed, bool asks_first = false)
      : asks_first_(asks_first),
        roll(seed),
        capacity(roll.power_of_two(2, 8)),
        group(std::min(roll.power_of_two(0, 6), capacity / 2)),
        expected(capacity, group, group * roll.from(std::uint64_t{0}, 1000)) {
    handover_channel s;
    s.tail = expected.tail;
    s.capacity = capacity;
    s.done_group = group;
    books.begin(s);
  }

  void step() {
    constexpr std::uint32_t most = ledger_channel::most_pieces;
    switch (roll.from(0, 3)) {
      case 0: reserve(); break;
      case 1:
        if (!windows.empty() &&
            (asks_first_ || (books.runs < handover_channel::most_runs && books.freed < most))) {
          close();
        }
        break;
      case 2: dispatch(); break;
      default:
        if (!batches.empty() && (asks_first_ || books.freed < most)) finish();
    }
    ASSERT_LE(books.runs, handover_channel::most_runs);
    ASSERT_LE(books.freed, most);
    ASSERT_EQ(books.free(), expected.free());
    ASSERT_EQ(books.ready, expected.count(state::ready));
  }
  /// Ends what is in flight.
  void end_all() {
    while (!batches.empty() && books.freed < ledger_channel::most_pieces) finish();
    while (!windows.empty() && books.runs < handover_channel::most_runs &&
           books.freed < ledger_channel::most_pieces) {
      close();
    }
  }

 private:
  bool asks_first_;

 public:
  dice roll;
  std::uint32_t capacity;
  std::uint32_t group;
  model expected;
  ledger_channel books{};
  std::deque<run> windows;
  std::deque<run> batches;

 private:
  void reserve() {
    const std::uint32_t room = books.free();
    if (room == 0 || (asks_first_ && !books.has_place_for_window())) return;
    // Small windows come in large numbers.
    const std::uint32_t count = roll.from(1U, asks_first_ ? std::min(room, 4U) : room);
    ++books.windows;
    const std::uint64_t first = books.reserve(count);
    if (first != expected.tail) {  // the rest of a group is skipped if nothing is live
      ASSERT_EQ(expected.free(), capacity);
      ASSERT_EQ(first, (expected.tail + group - 1) / group * group);
    }
    expected.tail = first + count;
    expected.set({first, count}, state::reserved);
    windows.push_back({first, count});
  }
  void close() {
    const auto at = windows.begin() + roll.from(0L, static_cast<long>(windows.size()) - 1);
    const run w = *at;
    windows.erase(at);
    --books.windows;
    const std::uint32_t taken = roll.from(0U, w.count);
    books.enqueue(w.first, taken, 1);
    if (taken != w.count) books.give_back(w.first, taken, w.count);
    expected.set({w.first, taken}, state::ready);
    const run rest{w.first + taken, w.count - taken};
    if (w.end() == expected.tail) {
      for (std::uint64_t t = rest.first; t < rest.end(); ++t) expected.tickets.erase(t);
      expected.tail = rest.first;
    } else {
      expected.set(rest, state::done);
    }
  }
  void dispatch() {
    if (books.ready == 0) return;
    const std::uint32_t most_of_them = std::min<std::uint32_t>(books.runs, announcement::most_runs);
    if (asks_first_ && !books.has_place_to_take(most_of_them)) return;
    run runs[announcement::most_runs];
    std::uint32_t count = 0;
    const std::uint32_t most = roll.from(1U, capacity);
    const std::uint32_t taken =
        books.take(announcement::most_runs, most, [&](std::uint32_t i, run r) {
          runs[i] = r;
          count = i + 1;
        });
    ASSERT_LE(taken, most);
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      for (std::uint64_t t = runs[i].first; t < runs[i].end(); ++t)
        ASSERT_EQ(expected.tickets[t], state::ready) << t;
      expected.set(runs[i], state::dispatched);
      batches.push_back(runs[i]);
      sum += runs[i].count;
    }
    books.going += count;
    ASSERT_EQ(sum, taken);
  }
  void finish() {
    const auto at = batches.begin() + roll.from(0L, static_cast<long>(batches.size()) - 1);
    books.free_piece(at->first, at->count);
    --books.going;
    expected.set(*at, state::done);
    batches.erase(at);
  }
};

TEST(ledger, keeps_what_a_channel_holds) {
  for_each_seed(200, [](std::uint64_t seed) {
    life l(seed);
    for (int i = 0; i < 300 && !::testing::Test::HasFatalFailure(); ++i) l.step();
  });
}

/// What is in flight may end in any order, and leave holes: nothing is begun for whose pieces there
/// might be no place then.
TEST(ledger, has_place_for_all_that_it_lets_begin) {
  for_each_seed(200, [](std::uint64_t seed) {
    life l(seed, true);
    for (int i = 0; i < 1000 && !::testing::Test::HasFatalFailure(); ++i) l.step();
  });
}

/// What the device leaves, whatever is still in flight, the host goes on with: all that was ready
/// is there, space is free again when all is done, and everything has room.
TEST(ledger, goes_back_to_the_table_of_the_host) {
  for_each_seed(200, [](std::uint64_t seed) {
    life l(seed);
    for (int i = l.roll.from(0, 200); i > 0 && !::testing::Test::HasFatalFailure(); --i) l.step();
    if (l.roll.once_in(2)) l.end_all();

    settings options;
    options.done_group = l.group;
    channels::detail::stack_model stack = channels::detail::make_stack<long>("plain");
    stack.capacity = l.capacity;
    channels::detail::graph_model graph;
    graph.stacks = {stack};
    constexpr std::size_t bytes = std::size_t{1} << 16U;
    const auto memory = allocate<std::byte>(bytes, "channels");
    channels::detail::channel_table table(graph, options, {memory.get(), memory.get()}, bytes,
                                          false);
    channels::detail::channel_state& c = *table.prepare(0, 0, l.capacity);
    ASSERT_EQ(c.geometry.capacity, l.capacity);
    // As if the host had had it before, and had left something done in it.
    if (const run before = c.bound.view.talloc(l.roll.from(1U, l.capacity))) {
      c.bound.view.tfree({before.first, l.roll.from(0U, before.count)});
    }

    handover_channel now;
    l.books.end(now);
    std::vector<run> taken(l.windows.begin(), l.windows.end());
    taken.insert(taken.end(), l.batches.begin(), l.batches.end());
    table.resume(c, now, taken);
    EXPECT_EQ(c.ready.count(), l.expected.count(state::ready));
    EXPECT_EQ(c.free(), l.expected.free());

    run r[1];
    std::uint32_t runs = 0;
    std::uint64_t ready = 0;
    while (c.ready.take(r, 1, l.capacity, runs) != 0) {
      for (std::uint64_t t = r[0].first; t < r[0].end(); ++t)
        ASSERT_EQ(l.expected.tickets[t], state::ready);
      ready += r[0].count;
      c.bound.view.tfree(r[0]);
    }
    EXPECT_EQ(ready, l.expected.count(state::ready));
    for (const run t : taken) c.bound.view.tfree(t);
    table.reclaim(c);
    EXPECT_EQ(c.live, 0U);
    for (int lap = 0; lap < 3; ++lap) {
      const run all = c.bound.view.talloc(l.capacity);
      ASSERT_TRUE(all);
      c.bound.view.tfree(all);
      table.reclaim(c);
    }
  });
}

/// A random life of a channel of frames of the counted rule: they are done in any order, and free
/// by whole groups.
class counted_life {
 public:
  explicit counted_life(std::uint64_t seed)
      : roll(seed),
        capacity(roll.power_of_two(2, 8)),
        group(std::min(roll.power_of_two(0, 6), capacity / 2)),
        done(capacity / group, 0) {
    handover_channel s;
    s.head = s.tail = group * roll.from(std::uint64_t{0}, 1000);
    s.capacity = capacity;
    s.done_group = group;
    s.counted = 1;
    books.begin(s);
  }

  void step() {
    switch (roll.from(0, 3)) {
      case 0: reserve(); break;
      case 1:
        if (!windows.empty() && books.runs < handover_channel::most_runs) close();
        break;
      case 2: finish(); break;
      default: reclaim();
    }
    // A batch that looks through the channel meets every frame that waits, once.
    std::map<std::uint64_t, int> met;
    run runs[ledger_channel::most_pieces];
    std::uint32_t count = 0;
    std::uint32_t sum = 0;
    const std::uint32_t all =
        books.look_through(ledger_channel::most_pieces, [&](std::uint32_t i, run r) {
          runs[i] = r;
          count = i + 1;
        });
    for (std::uint32_t i = 0; i < count; ++i) {
      sum += runs[i].count;
      for (std::uint64_t t = runs[i].first; t < runs[i].end(); ++t) ++met[t];
    }
    ASSERT_EQ(all, sum);
    for (const auto& [ticket, times] : met) {
      ASSERT_EQ(times, 1);
      ASSERT_GE(ticket, books.head);
      ASSERT_LT(ticket, books.tail);
      // Nothing of a window that is still written to.
      for (const run w : windows) ASSERT_TRUE(ticket < w.first || ticket >= w.end());
    }
    for (const std::uint64_t t : waiting) ASSERT_EQ(met[t], 1) << t;
  }

  dice roll;
  std::uint32_t capacity;
  std::uint32_t group;
  ledger_channel books{};
  std::deque<run> windows;
  std::deque<std::uint64_t> waiting;  ///< frames
  std::vector<std::uint32_t> done;

 private:
  std::uint32_t& count_of(std::uint64_t ticket) { return done[(ticket & (capacity - 1)) / group]; }
  void reserve() {
    const std::uint32_t room = books.free();
    if (room == 0) return;
    const std::uint32_t count = roll.from(1U, room);
    windows.push_back({books.reserve(count), count});
  }
  void close() {
    const auto at = windows.begin() + roll.from(0L, static_cast<long>(windows.size()) - 1);
    const run w = *at;
    windows.erase(at);
    const std::uint32_t taken = roll.from(0U, w.count);
    const std::uint32_t dead = books.keep_window(w.first, taken, w.count);
    for (std::uint32_t i = 0; i < taken; ++i) waiting.push_back(w.first + i);
    for (std::uint32_t i = 0; i < dead; ++i) ++count_of(w.end() - 1 - i);
    ASSERT_TRUE(dead == 0 || dead == w.count - taken);
  }
  void finish() {
    for (int i = roll.from(0, 8); i > 0 && !waiting.empty(); --i) {
      const auto at = waiting.begin() + roll.from(0L, static_cast<long>(waiting.size()) - 1);
      ++count_of(*at);
      waiting.erase(at);
    }
  }
  /// As device_aggregator::reclaim, one group after the other.
  void reclaim() {
    std::uint64_t head = books.head / group * group;
    while (head < books.tail &&
           count_of(head) == std::min<std::uint64_t>(group, books.tail - head)) {
      count_of(head) = 0;
      head += group;
    }
    if (head > books.head) books.free_up_to(std::min(head, books.tail));
  }
};

TEST(ledger, keeps_where_frames_of_the_counted_rule_may_be) {
  for_each_seed(200, [](std::uint64_t seed) {
    counted_life l(seed);
    for (int i = 0; i < 300 && !::testing::Test::HasFatalFailure(); ++i) l.step();
  });
}

/// The host goes on with what is done, and all is free when the rest is.
TEST(ledger, goes_back_to_the_host_with_its_done_counts) {
  for_each_seed(200, [](std::uint64_t seed) {
    counted_life l(seed);
    for (int i = l.roll.from(0, 200); i > 0 && !::testing::Test::HasFatalFailure(); --i) l.step();

    settings options;
    options.done_group = l.group;
    channels::detail::stack_model stack = channels::detail::make_stack<long>("plain");
    stack.capacity = l.capacity;
    stack.frames = true;
    stack.control = false;
    channels::detail::graph_model graph;
    graph.stacks = {stack};
    constexpr std::size_t bytes = std::size_t{1} << 16U;
    const auto memory = allocate<std::byte>(bytes, "channels");
    channels::detail::channel_table table(graph, options, {memory.get(), memory.get()}, bytes,
                                          false);
    channels::detail::channel_state& c = *table.prepare(0, 0, l.capacity);
    if (const run before = c.bound.view.talloc(l.roll.from(1U, l.capacity))) {
      c.bound.view.tfree({before.first, l.roll.from(0U, before.count)});
    }

    handover_channel now;
    now.done_group = l.group;
    now.capacity = l.capacity;
    l.books.end(now);
    table.resume_counted(c, now, l.done.data());
    for (const std::uint64_t t : l.waiting) c.bound.view.tfree({t, 1});
    for (const run w : l.windows) c.bound.view.give_back(w);
    table.reclaim(c);
    EXPECT_EQ(c.live, 0U);
    for (int lap = 0; lap < 3; ++lap) {
      const run all = c.bound.view.talloc(l.capacity);
      ASSERT_TRUE(all);
      c.bound.view.tfree(all);
      table.reclaim(c);
    }
  });
}

}  // namespace
}  // namespace channels::gpu::detail
