#pragma once

#include <gtest/gtest.h>

#include <cstdint>   // uint64_t
#include <optional>  // optional
#include <ostream>   // ostream
#include <vector>    // vector

#include "channels/channel.hpp"
#include "tests/channel/schedule.hpp"

namespace channels::testing {

/// At each step of the protocol another thread may go on.
struct scheduled_protocol : channel_protocol {
  static void at(protocol_step /*step*/) { schedule::step(); }
};

/// Producers, consumers and a reclaimer on one channel, run by a `schedule`. Since one thread runs
/// at a time, plain variables can watch over the states of all elements.
class simulation {
 public:
  struct shape {
    std::uint32_t capacity, group, producers, consumers, words_each;
    bool walk;  ///< one consumer, which walks the control array as the aggregator does

    static shape random(dice& d) {
      const std::uint32_t capacity = d.power_of_two(0, 3);
      const bool walk = d.once_in(4);
      const auto producers = d.from(1U, 3U);
      // The control array has two slots for each element: some four laps.
      return {capacity,
              d.power_of_two(0, 3),
              producers,
              walk ? 1 : d.from(1U, 2U),
              8 * capacity / producers + 4,
              walk};
    }
    [[nodiscard]] std::size_t threads() const { return producers + consumers + std::size_t{1}; }
    friend std::ostream& operator<<(std::ostream& out, const shape& s) {
      return out << "capacity " << s.capacity << ", done group " << s.group << ", " << s.producers
                 << " producers, " << s.consumers << " consumers" << (s.walk ? ", walking" : "");
    }
  };

  simulation(std::uint64_t seed, shape s, std::optional<schedule::stop> stop = {})
      : shape_(s),
        stop_(stop),
        schedule_(seed, stop),
        dice_(seed + 1),
        channel_(s.capacity, {.done_group = s.group}),
        view_(channel_.view()),
        slots_(channel_.capacity()),
        sent_(s.producers),
        received_(s.producers) {}

  /// False if the thread that was to stop ended before.
  bool run() {
    std::vector<std::function<void()>> bodies;
    for (std::uint32_t i = 0; i < shape_.producers; ++i)
      bodies.emplace_back([=, this] { produce(i); });
    for (std::uint32_t i = 0; i < shape_.consumers; ++i) bodies.emplace_back([this] { consume(); });
    bodies.emplace_back([this] { reclaim_for_all(); });
    schedule_.run(std::move(bodies), [this] { check_while_stopped(); });
    EXPECT_FALSE(schedule_.livelocked());

    while (consume_one()) {
    }
    reclaim();
    for (std::uint32_t i = 0; i < shape_.producers; ++i) EXPECT_EQ(received_[i], sent_[i]);
    EXPECT_EQ(view_.live(), 0U);
    return schedule_.stop_reached();
  }

 private:
  enum class state { available, reserved, ready, dispatched, done };
  struct slot {
    state is = state::available;
    std::uint64_t ticket = 0;
  };
  struct value {
    std::uint32_t producer, number;
  };
  using reservation = channel<value, scheduled_protocol>::reservation;

  void produce(std::uint32_t me) {
    for (std::uint32_t word = 0; word < shape_.words_each; ++word) {
      const auto most = dice_.from(1U, view_.capacity());
      const auto least = dice_.once_in(2) ? most : 1;
      channels::run r;
      // Behind a thread that stopped the channel stays full: give up.
      for (int tries = 0; !(r = view_.talloc_between(least, most)); ++tries) {
        if (schedule_.stop_reached() && tries > 200) return;
        schedule::step();
      }
      move(r, state::available, state::reserved);
      if (dice_.once_in(4)) r = give_some_back(r);
      if (!r) continue;
      for (std::uint32_t i = 0; i < r.count; ++i) {
        schedule::step();
        channel_.set(of(r), i, {me, sent_[me] + i});
      }
      move(r, state::reserved, state::ready);
      view_.enq(r);
      sent_[me] += r.count;
    }
  }

  channels::run give_some_back(channels::run r) {
    const auto kept = dice_.from(0U, r.count - 1);
    const channels::run unused{r.first + kept, r.count - kept};
    // No step lies between this look and the exchange in give_back, so it tells how that ends.
    const bool last = view_.reserved() == unused.end();
    move(unused, state::reserved, last ? state::available : state::done);
    view_.give_back(unused);
    return {r.first, kept};
  }

  void consume() {
    for (;;) {
      bool more = false;
      for (std::uint32_t i = 0; i < shape_.producers; ++i) more = more || !schedule_.at_rest(i);
      if (!consume_one() && !more) return;
      schedule::step();
    }
  }

  bool consume_one() {
    const channels::run r = shape_.walk ? view_.peek(position_) : view_.deq();
    if (!r) return false;
    ++position_;
    move(r, state::ready, state::dispatched);
    for (std::uint32_t i = 0; i < r.count; ++i) {
      const value v = channel_.get(of(r), i);
      // Nothing lost, nothing twice, and in the order in which this producer enqueued it.
      EXPECT_EQ(v.number, received_.at(v.producer)++);
    }
    schedule::step();
    move(r, state::dispatched, state::done);
    view_.tfree(r);
    return true;
  }

  void reclaim_for_all() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i + 1 < shape_.threads(); ++i) more = more || !schedule_.at_rest(i);
      reclaim();
      schedule::step();
    }
  }

  void reclaim() {
    const std::uint64_t end = head_ + view_.reclaim();
    for (; head_ != end; ++head_) {
      slot& s = slots_[view_.slot(head_)];
      const bool skipped = s.is == state::available;
      EXPECT_TRUE(skipped || (s.is == state::done && s.ticket == head_)) << "ticket " << head_;
      s.is = state::available;
    }
  }

  /// While one thread stands still, all that others have enqueued is consumed.
  void check_while_stopped() {
    const bool consumer = stop_->thread >= shape_.producers && stop_->thread + 1 < shape_.threads();
    if (consumer && shape_.consumers == 1) return;
    for (std::uint32_t i = 0; i < shape_.producers; ++i) {
      if (i == stop_->thread) continue;
      EXPECT_EQ(received_[i], sent_[i]);
    }
  }

  void move(channels::run r, state from, state to) {
    for (std::uint64_t t = r.first; t != r.end(); ++t) {
      slot& s = slots_[view_.slot(t)];
      EXPECT_TRUE(s.is == from && (from == state::available || s.ticket == t)) << "ticket " << t;
      s = {to, t};
    }
  }

  reservation of(channels::run r) { return {r, &channel_}; }

  shape shape_;
  std::optional<schedule::stop> stop_;
  schedule schedule_;
  dice dice_;
  channel<value, scheduled_protocol> channel_;
  basic_channel_view<scheduled_protocol> view_;
  std::vector<slot> slots_;
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> received_;
  std::uint64_t position_ = 0;
  std::uint64_t head_ = 0;
};

}  // namespace channels::testing
