// Policies and predicates that users make.

#include <gtest/gtest.h>

#include <mutex>   // mutex
#include <vector>  // vector

#include "channels/graph.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

/// Chooses at random: whatever a policy chooses, the answer is the same.
class random_policy final : public scheduling_policy {
 public:
  explicit random_policy(std::uint64_t seed) : dice_(seed) {}
  [[nodiscard]] const char* name() const override { return "random"; }
  [[nodiscard]] std::optional<std::size_t> choose(std::span<const candidate> ready) const override {
    if (ready.empty()) return std::nullopt;
    return dice_.from(std::size_t{0}, ready.size() - 1);
  }

 private:
  mutable dice dice_;
};

/// Asks another policy, and notes the candidates and the choice.
class recording_policy final : public scheduling_policy {
 public:
  struct decision {
    std::vector<candidate> ready;
    std::size_t chosen;
  };
  explicit recording_policy(std::unique_ptr<scheduling_policy> asked) : asked_(std::move(asked)) {}
  [[nodiscard]] const char* name() const override { return "recording"; }
  [[nodiscard]] std::optional<std::size_t> choose(std::span<const candidate> ready) const override {
    const auto chosen = asked_->choose(ready);
    const std::lock_guard lock(mutex_);
    if (chosen) decisions_.push_back({{ready.begin(), ready.end()}, *chosen});
    return chosen;
  }
  [[nodiscard]] const std::vector<decision>& decisions() const { return decisions_; }

 private:
  std::unique_ptr<scheduling_policy> asked_;
  mutable std::mutex mutex_;
  mutable std::vector<decision> decisions_;
};

class refusing_policy final : public scheduling_policy {
 public:
  [[nodiscard]] const char* name() const override { return "refusing"; }
  [[nodiscard]] std::optional<std::size_t> choose(
      std::span<const candidate> /*ready*/) const override {
    return std::nullopt;
  }
};

class absurd_policy final : public scheduling_policy {
 public:
  [[nodiscard]] const char* name() const override { return "absurd"; }
  [[nodiscard]] std::optional<std::size_t> choose(std::span<const candidate> ready) const override {
    return ready.size();
  }
};

class throwing_policy final : public scheduling_policy {
 public:
  [[nodiscard]] const char* name() const override { return "throwing"; }
  [[nodiscard]] std::optional<std::size_t> choose(
      std::span<const candidate> /*ready*/) const override {
    throw std::domain_error("no idea");
  }
};

struct node_element {
  int n;
  long* result;
};
struct node_frame {
  long* result;
  long x, y;
};

/// Fibonacci on stacks, and beside it a plain channel that counts the leaves.
struct fib_graph {
  explicit fib_graph(runtime& on)
      : g(on, "fib"),
        fib(g.stack<node_element>("fib")),
        cont(g.frames<node_frame>("fib.cont")),
        leaf(g.channel<int>("leaf", 16)),
        leaves(g.accumulator<long>()) {
    g.kernel(
        "fib", fib,
        [](auto& lane, node_element e, auto& children, auto& frames, auto& out) {
          if (e.n < 2) {
            if (out.try_push(1) == nullptr) return lane.retry();
            *e.result = e.n;
            return lane.done();
          }
          if (!children.reserve(2) || !frames.reserve(1)) return lane.retry();
          node_frame* const f = frames.push({e.result, 0, 0});
          children.push({e.n - 1, &f->x});
          children.push({e.n - 2, &f->y});
          return lane.done();
        },
        up_to(2, fib), cont, leaf);
    g.kernel("fib.cont", cont, [](auto& /*lane*/, node_frame& f) { *f.result = f.x + f.y; });
    g.kernel("leaf", leaf, [](auto& /*lane*/, int i, long& sum) { sum += i; }, leaves);
  }
  void expect_right() {
    long result = -1;
    g.push(fib, {15, &result});
    g.execute();
    ASSERT_TRUE(g.wait());
    EXPECT_EQ(result, 610);
    EXPECT_EQ(leaves.value(), 987);
  }

  graph g;
  stack_node<node_element> fib;
  frame_node<node_frame> cont;
  channel_node<int> leaf;
  accumulator<long> leaves;
};

TEST(a_policy_of_a_user, may_take_whatever_it_likes) {
  for_each_seed(scaled(60), [](std::uint64_t seed) {
    dice d(seed);
    runtime on(random_shape(d));
    SCOPED_TRACE(::testing::Message() << on.options());
    fib_graph f(on);
    f.g.schedule(std::make_shared<random_policy>(seed));
    f.expect_right();
  });
}

TEST(a_policy_of_a_user, sees_candidates_that_make_sense) {
  runtime on(with_units(2));
  fib_graph f(on);
  const auto policy = std::make_shared<recording_policy>(bounded_breadth_first());
  f.g.schedule(policy);
  f.expect_right();
  ASSERT_FALSE(policy->decisions().empty());
  bool work = false;
  bool frames = false;
  for (const auto& d : policy->decisions()) {
    for (const candidate& c : d.ready) {
      EXPECT_GE(c.room, 1U);
      EXPECT_LE(c.room, c.ready);
      EXPECT_LE(c.level, 15U);
      frames |= c.continuation;
      work |= !c.continuation;
    }
  }
  EXPECT_TRUE(work && frames);
  EXPECT_EQ(policy->decisions().front().ready.size(), 1U);
  EXPECT_EQ(policy->decisions().front().ready.front().level, 0U);
}

TEST(a_policy_of_a_user, that_takes_nothing_or_what_is_not_there_ends_the_run_with_an_error) {
  runtime on(with_units(2));
  fib_graph f(on);
  long result = 0;
  f.g.schedule(std::make_shared<refusing_policy>());
  f.g.push(f.fib, {5, &result});
  f.g.execute();
  expect_error([&] { f.g.wait(); }, {"fib", "refusing", "chose none"});
  f.g.schedule(std::make_shared<absurd_policy>());
  f.g.push(f.fib, {5, &result});
  f.g.execute();
  expect_error([&] { f.g.wait(); }, {"fib", "absurd", "chose number 1"});
  f.g.schedule(bounded_breadth_first());
  f.expect_right();
}

TEST(a_policy_of_a_user, that_throws_ends_the_run_with_what_it_threw) {
  runtime on(with_units(2));
  fib_graph f(on);
  f.g.schedule(std::make_shared<throwing_policy>());
  long result = 0;
  f.g.push(f.fib, {5, &result});
  f.g.execute();
  EXPECT_THROW(f.g.wait(), std::domain_error);
  f.g.schedule(nullptr);  // back to the default
  f.expect_right();
}

/// 1000 elements; every third goes on to a channel with a predicate.
struct thinning {
  thinning(runtime& on, predicate worth)
      : g(on, "thinning"),
        in(g.channel<int>("in", 1024)),
        out(g.channel<int>("out", 1024)),
        seen(g.accumulator<int>()) {
    g.kernel(
        "thin", in,
        [](auto& lane, int i, auto& to) {
          if (i % 3 != 0) return lane.done();
          return to.try_push(i) != nullptr ? lane.done() : lane.retry();
        },
        out);
    g.kernel("count", out, [](auto& /*lane*/, int /*i*/, int& n) { ++n; }, seen);
    g.dispatch_when(out, std::move(worth));
    for (int i = 0; i < 1000; ++i) g.push(in, i);
  }
  graph g;
  channel_node<int> in, out;
  accumulator<int> seen;
};

TEST(a_predicate, of_full_wavefronts_gets_full_wavefronts_until_nothing_else_is_to_be_done) {
  settings s = with_units(1);
  s.batch = 50;  // some 17 at a time
  runtime on(s);
  thinning t(on, full_wavefront());
  const auto policy = std::make_shared<recording_policy>(first_come());
  t.g.schedule(policy);
  t.g.execute();
  ASSERT_TRUE(t.g.wait());
  EXPECT_EQ(t.seen.value(), 334);
  // The second channel is dispatched when its elements are the oldest, or the only ones.
  const auto& decisions = policy->decisions();
  EXPECT_GE(decisions.size(), 20U + 334 / 64);
  std::uint64_t ins = 0;
  for (const auto& d : decisions) ins += d.ready.size() > 1 || d.ready[0].ready > 17 ? 1 : 0;
  EXPECT_GE(ins, 20U);
  EXPECT_LE(decisions.size(), 20U + 334 / 50 + 2) << "few batches of the second, for they are full";
}

TEST(a_predicate, sees_the_channel_as_it_is) {
  for (const unsigned units : {1U, 2U}) {
    runtime on(with_units(units));
    int asked = 0;
    bool sensible = true;
    thinning t(on, [&](const channel_status& c) {
      ++asked;
      sensible &= c.name == "out" && c.level == 0 && c.capacity == 1024 && c.width == 64 &&
                  c.ready >= 1 && c.ready <= c.live && c.live <= c.capacity;
      return c.ready > 10;
    });
    t.g.execute();
    ASSERT_TRUE(t.g.wait());
    EXPECT_EQ(t.seen.value(), 334);
    EXPECT_GT(asked, 0);
    EXPECT_TRUE(sensible);
  }
}

TEST(a_predicate, that_always_says_no_loses_nothing) {
  for (const unsigned units : {1U, 2U, 4U}) {
    runtime on(with_units(units));
    thinning t(on, [](const channel_status&) { return false; });
    t.g.dispatch_when(t.in, [](const channel_status&) { return false; });
    t.g.execute();
    ASSERT_TRUE(t.g.wait());
    EXPECT_EQ(t.seen.value(), 334);
  }
}

TEST(a_predicate, that_throws_ends_the_run_with_what_it_threw) {
  runtime on(with_units(2));
  thinning t(on, [](const channel_status&) -> bool { throw std::domain_error("no idea"); });
  t.g.execute();
  EXPECT_THROW(t.g.wait(), std::domain_error);
}

TEST(a_predicate, of_a_stack_is_asked_for_each_level_and_changes_no_answer) {
  for_each_seed(scaled(30), [](std::uint64_t seed) {
    dice d(seed);
    runtime on(random_shape(d));
    SCOPED_TRACE(::testing::Message() << on.options());
    fib_graph f(on);
    f.g.dispatch_when(f.fib, full_wavefront());
    f.g.dispatch_when(f.leaf, full_wavefront());
    if (d.once_in(2)) f.g.dispatch_when(f.cont, full_wavefront());
    f.expect_right();
  });
}

}  // namespace
}  // namespace channels::testing
